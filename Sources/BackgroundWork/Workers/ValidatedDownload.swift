/// A download whose input has been checked and completed.
struct ValidatedDownload: Sendable, Hashable {
    var url: String
    var savePath: String
    var sessionIdentifier: String
    var headers: [String: String]
    /// The transfer fails when no byte arrives for this long, in milliseconds.
    var stallTimeoutMs: Int64
}
