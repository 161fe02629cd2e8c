#if os(Linux)
import BackgroundWorkFiles
import BackgroundWorkTransfers

/// One connection of a download, and where its bytes go.
final class DownloadStream {
    let exchange: Exchange
    /// Where the request starts in the file.
    let offset: Int64
    /// What was asked for, when the request has an end.
    let part: Range<Int64>?
    let writer: StagingWriter
    /// Its part of the table, once there is one.
    var segment: Int?
    /// `nil` until the final response's head has been judged.
    var verdict: ResponseVerdict?
    /// Whether the body's first bytes were let through to the file.
    var isAdmitted = false
    /// Whether its part is complete; the connection was ended for that.
    var hasAll = false

    init(exchange: Exchange, offset: Int64, part: Range<Int64>?, writer: StagingWriter, segment: Int?) {
        self.exchange = exchange
        self.offset = offset
        self.part = part
        self.writer = writer
        self.segment = segment
    }
}

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
