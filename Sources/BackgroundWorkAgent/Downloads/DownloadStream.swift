import BackgroundWorkExchange
import BackgroundWorkFiles
import BackgroundWorkTransfers

/// One connection of a download, and where its bytes go.
final class DownloadStream {
    let exchange: Exchange
    /// Where the request starts in the file.
    let offset: Int64
    /// The requested range, when the request has an end.
    let part: Range<Int64>?
    let writer: StagingWriter
    /// The index of its part in the table, once there is a table.
    var segment: Int?
    /// `nil` until the headers of the final response were evaluated.
    var verdict: ResponseVerdict?
    /// Whether the body may be written to the file.
    var isAdmitted = false
    /// Whether its part is complete; the connection was ended for this reason.
    var hasAll = false

    init(exchange: Exchange, offset: Int64, part: Range<Int64>?, writer: StagingWriter, segment: Int?) {
        self.exchange = exchange
        self.offset = offset
        self.part = part
        self.writer = writer
        self.segment = segment
    }
}

/// The checksum of a download computed while the bytes arrive. That is only possible over one connection, from the
/// first byte on, and without a restart of the agent. Otherwise the finished file is read again.
final class DownloadDigest {
    private let algorithm: DigestAlgorithm?
    private var digest: StreamingDigest?
    private var position: Int64 = 0

    init(_ algorithm: ChecksumAlgorithm?) { self.algorithm = algorithm?.digest }

    /// The file starts again from zero.
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

    /// The checksum if all `bytes` were added here in order; `nil` if the file has to be read.
    func take(after bytes: Int64) -> String? {
        guard bytes == position, let digest else { return nil }
        restart()
        return try? digest.finish()
    }
}
