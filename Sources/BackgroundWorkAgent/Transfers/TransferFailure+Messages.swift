#if os(Linux)
import BackgroundWorkTransfers

/// The failures of a transfer in words: what happened, to which URL, and what to do.
extension TransferFailure {
    static func invalid(_ problem: String, _ url: TransferURL) -> TransferFailure {
        TransferFailure(
            kind: .invalid, message: "GET \(url.redacted): \(problem). Correct the request.", isRetryable: false)
    }

    static func status(of headers: ResponseHeaders, _ url: TransferURL) -> TransferFailure {
        let status = headers.status
        let isRetryable = ResumePolicy.isRetryable(status: status)
        let advice =
            switch status {
            case 401, 403, 407: "Check the credentials in the request's headers."
            case 404, 410: "Check the URL."
            case 408, 429, 500...599: "Try again later."
            default: "Check the request."
            }
        let words = headers.reason.isEmpty ? "\(status)" : "\(status) \(headers.reason)"
        return TransferFailure(
            kind: .status, message: "GET \(url.redacted): the server answered \(words). \(advice)",
            isRetryable: isRetryable, statusCode: status)
    }

    static func wrongRange(of headers: ResponseHeaders, _ url: TransferURL) -> TransferFailure {
        let range = headers.contentRange.map { "\"\($0.printable)\"" } ?? "none"
        return TransferFailure(
            kind: .status,
            message: "GET \(url.redacted): the server answered \(headers.status) with a part that was not asked for "
                + "(Content-Range: \(range)). Check the server or the proxy in front of it.",
            isRetryable: false, statusCode: headers.status)
    }

    static func truncated(received: Int64, promised: Int64?, _ url: TransferURL) -> TransferFailure {
        let count =
            promised.map { "\(received) of the \($0) bytes it promised" } ?? "\(received) bytes and then broke off"
        return TransferFailure(
            kind: .truncated,
            message: "GET \(url.redacted): the server sent \(count). Try again.", isRetryable: true)
    }

    static func stalled(milliseconds: Int64, _ url: TransferURL) -> TransferFailure {
        TransferFailure(
            kind: .network,
            message: "GET \(url.redacted): no byte arrived for \(milliseconds) ms. Try again, or allow a longer stall.",
            isRetryable: true)
    }

    static func refusedAddress(_ address: String, _ url: TransferURL) -> TransferFailure {
        TransferFailure(
            kind: .refused,
            message: "GET \(url.redacted): the host led to the address \(address), which the transfer's address policy "
                + "(public internet only) forbids. If that address is meant, allow it in the security policy.",
            isRetryable: false)
    }

    static func forbiddenRedirect(_ detail: String, _ url: TransferURL) -> TransferFailure {
        TransferFailure(
            kind: .refused,
            message: "GET \(url.redacted): \(detail). Use the URL that the server redirects to, if it can be trusted.",
            isRetryable: false)
    }

    static func disk(_ error: SystemCallError, _ url: TransferURL) -> TransferFailure {
        TransferFailure(kind: .disk, message: "GET \(url.redacted): \(error)", isRetryable: true)
    }

    static func journal(_ error: any Error, _ url: TransferURL) -> TransferFailure {
        TransferFailure(
            kind: .disk, message: "GET \(url.redacted): the agent's journal could not be written: \(error)",
            isRetryable: true)
    }

    static func network(_ detail: String, isRetryable: Bool = true, _ url: TransferURL) -> TransferFailure {
        TransferFailure(
            kind: .network, message: "GET \(url.redacted): \(detail.printable)", isRetryable: isRetryable)
    }
}
#endif
