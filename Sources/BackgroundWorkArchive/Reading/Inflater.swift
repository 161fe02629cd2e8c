import BackgroundWorkFiles
import BackgroundWorkSystem
import CBackgroundWorkZlib

/// Decompression of one entry after the other with the same memory.
final class Inflater {
    private static let outputBytes = 256 << 10
    /// What is decompressed at once, so that a stop is noticed soon.
    private static let inputBytes = 64 << 10

    private let inflater: OpaquePointer
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: outputBytes, alignment: 16)

    init() throws {
        var error: UnsafePointer<CChar>?
        guard let inflater = bgw_inflater_begin(BGW_PACKED_RAW, &error) else {
            throw FileError(action: "decompress", path: "", code: ENOMEM)
        }
        self.inflater = inflater
    }

    deinit {
        bgw_inflater_free(inflater)
        output.deallocate()
    }

    /// Decompresses the bytes of a range, which must be one whole stream.
    func inflate(
        _ entry: ZipEntry, from start: UInt64, to end: UInt64, in window: FileWindow,
        _ take: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        _ = bgw_inflater_reset(inflater)
        var position = start
        while true {
            let found = try window.available(at: position, atLeast: 1)
            let piece = UnsafeRawBufferPointer(
                rebasing: found.prefix(min(Self.inputBytes, Int(clamping: end - position))))
            guard !piece.isEmpty else {
                throw ArchiveError.damagedEntry(name: entry.shownName, "its compressed content ends too early")
            }
            var used = 0
            while true {
                var (taken, made) = (piece.count - used, output.count)
                let answer = bgw_inflater_run(
                    inflater, piece.baseAddress?.advanced(by: used).assumingMemoryBound(to: UInt8.self), &taken,
                    output.baseAddress?.assumingMemoryBound(to: UInt8.self), &made)
                guard answer >= 0 else {
                    throw ArchiveError.damagedEntry(name: entry.shownName, "its compressed content is not valid")
                }
                used += taken
                if made > 0 { try take(UnsafeRawBufferPointer(rebasing: output[..<made])) }
                if answer == 1 {
                    guard position + UInt64(used) == end else {
                        throw ArchiveError.damagedEntry(
                            name: entry.shownName, "there is more after its compressed content")
                    }
                    return
                }
                // Only a full buffer can mean that there is more to come of the same input.
                if used == piece.count, made < output.count { break }
                if taken == 0, made == 0 { break }
            }
            guard used > 0 else {
                throw ArchiveError.damagedEntry(name: entry.shownName, "its compressed content is not valid")
            }
            position += UInt64(used)
        }
    }

    static func crc(_ crc: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
        bgw_crc32(crc, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    }
}
