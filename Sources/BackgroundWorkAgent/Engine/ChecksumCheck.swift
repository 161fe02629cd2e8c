#if os(Linux)
import BackgroundWorkTransfers

/// The checksum that a file must have, and the one that it has.
struct ChecksumCheck: Sendable {
    enum Found: Sendable {
        case known(String)
        /// It takes reading the file, which blocks.
        case read(@Sendable () throws -> String)
    }

    var expected: FileChecksum
    var found: Found
}
#endif
