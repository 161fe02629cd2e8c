import BackgroundWorkTransfers

/// A checksum as two fields of an input.
struct ChecksumFields: Codable {
    var expectedChecksum: String?
    var checksumAlgorithm: ChecksumAlgorithm?

    init(_ checksum: FileChecksum?) { (expectedChecksum, checksumAlgorithm) = (checksum?.hex, checksum?.algorithm) }

    /// `nil` if no checksum is expected; without an algorithm it is SHA-256.
    var checksum: FileChecksum? { expectedChecksum.map { FileChecksum(checksumAlgorithm ?? .sha256, hex: $0) } }
}
