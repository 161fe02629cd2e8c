#if os(Linux)
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
#endif
