import BackgroundWorkFiles
import BackgroundWorkSystem
import CBackgroundWorkZlib

/// Compression of one stream after the other with the same memory.
final class Deflater {
    private let deflater: OpaquePointer

    /// - Parameter level: from 1 to 9.
    init(level: Int) throws {
        guard let deflater = bgw_deflater_begin(Int32(level), 15) else {
            throw FileError(action: "compress", path: "", code: ENOMEM)
        }
        self.deflater = deflater
    }

    deinit { bgw_deflater_free(deflater) }

    /// The most bytes that so many become, with the rest of earlier ones.
    static func bound(_ count: Int) -> Int { count + (count >> 8) + 65_536 }

    /// Compresses as much of `input` as fits. Returns how many bytes were used, how many were made, and whether the
    /// stream is complete.
    func run(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, finishing: Bool
    ) -> (used: Int, made: Int, isComplete: Bool) {
        var (used, made) = (input.count, output.count)
        let answer = bgw_deflater_run(
            deflater, input.baseAddress?.assumingMemoryBound(to: UInt8.self), &used,
            output.baseAddress?.assumingMemoryBound(to: UInt8.self), &made,
            finishing ? BGW_FLUSH_END : BGW_FLUSH_NOTHING)
        return (used, made, answer == 1)
    }

    func reset() { _ = bgw_deflater_reset(deflater) }
}
