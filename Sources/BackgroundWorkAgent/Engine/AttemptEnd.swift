#if os(Linux)
import BackgroundWorkTransfers

/// How an attempt ended.
enum AttemptEnd {
    /// Everything has been moved. What has to be synced or checked is not yet.
    case complete(status: Int, finalURL: String, headers: ResponseHeaders, body: String?)
    case failed(AttemptFailure)
}

/// An attempt's failure, and what else is known of it.
struct AttemptFailure {
    var failure: TransferFailure
    var headers = ResponseHeaders()
    /// Whether the server was on this machine, so that no network is missing.
    var wasLoopback = false
    /// Whether it is one that a missing network would explain.
    var isConnectionLoss = false
}
#endif
