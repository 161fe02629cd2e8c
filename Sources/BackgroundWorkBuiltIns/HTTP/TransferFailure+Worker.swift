import BackgroundWorkHTTP
import BackgroundWorkModel
import BackgroundWorkTransfers

extension TransferFailure {
    /// Why a request got no complete response.
    package init(_ error: HTTPError) {
        let kind: Kind =
            switch error.kind {
            case .network, .timeout: .network
            case .truncated: .truncated
            case .refused: .refused
            case .tooLong: .limit
            case .disk: .disk
            case .invalid: .invalid
            }
        self.init(kind: kind, message: error.message, isRetryable: error.isRetryable)
    }

    /// A status other than 2xx; `nil` for one of those. `now` is the time of the response.
    package init?(status head: HTTPResponseHead, now: WallTime, _ url: TransferURL) {
        if head.isSuccess { return nil }
        self = .status(head.status, retryAfter: head.headers.values(of: "Retry-After").first, now: now, url)
    }

    /// What the worker returns: a retry, not before the instant that the server asks for, or a failure.
    package var workerResult: WorkerResult {
        guard isRetryable else { return .failure(message: message) }
        let wait = retryAfterMs.map { min($0, AttemptRules.longestAskedWaitMs) } ?? 0
        return .retry(reason: message, after: wait > 0 ? .milliseconds(wait) : nil)
    }
}
