#if os(Linux)
import BackgroundWorkFiles
import BackgroundWorkTransfers

/// The checksum of a download as far as it can be computed while the bytes come: over one connection, from the first
/// byte on, without an interruption of the agent. Otherwise the finished file is read once more.
final class DownloadDigest {
    private let algorithm: DigestAlgorithm?
    private var digest: StreamingDigest?
    private var position: Int64 = 0

    init(_ algorithm: ChecksumAlgorithm?) { self.algorithm = algorithm?.digest }

    /// The file begins anew.
    func restart() {
        digest = nil
        position = 0
    }

    /// Bytes that were written at an offset.
    func add(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
        guard let algorithm, offset == position, position == 0 || digest != nil else { return give() }
        if position == 0 { digest = try? StreamingDigest(algorithm) }
        digest?.update(bytes)
        position += Int64(bytes.count)
    }

    private func give() { digest = nil }

    /// The checksum if all `bytes` have passed through here in order; `nil` if the file has to be read.
    func take(after bytes: Int64) -> String? {
        guard bytes == position, let digest else { return nil }
        restart()
        return try? digest.finish()
    }
}
#endif
