import BackgroundWorkFiles
import BackgroundWorkSystem

/// Whether compression pays for a file that is too large to try it on all of it.
final class Savings {
    private static let sampleBytes = 64 << 10

    private let deflater: Deflater
    private let sample = UnsafeMutableRawBufferPointer.allocate(byteCount: sampleBytes, alignment: 16)
    private let packed = UnsafeMutableRawBufferPointer.allocate(
        byteCount: Deflater.bound(sampleBytes), alignment: 16)

    init() throws { deflater = try Deflater(level: 1) }

    deinit {
        sample.deallocate()
        packed.deallocate()
    }

    /// Compresses some of its beginning and, if that saves nothing, four more samples: a file may well begin with a
    /// picture and be text otherwise.
    func pays(beginning: UnsafeRawBufferPointer, file: Int32, bytes: UInt64) -> Bool {
        if pays(UnsafeRawBufferPointer(rebasing: beginning.prefix(Self.sampleBytes))) { return true }
        let last = bytes - min(bytes, UInt64(Self.sampleBytes))
        for offset in [bytes / 4, bytes / 2, bytes / 4 * 3, last] {
            let count = SystemCall.repeated { pread(file, sample.baseAddress, sample.count, off_t(offset)) }
            if count > 0, pays(UnsafeRawBufferPointer(rebasing: sample[..<count])) { return true }
        }
        return false
    }

    /// Three percent are the least that is worth the time of everybody who reads it.
    private func pays(_ bytes: UnsafeRawBufferPointer) -> Bool {
        deflater.reset()
        let result = deflater.run(bytes, into: packed, finishing: true)
        return result.made * 100 < bytes.count * 97
    }
}
