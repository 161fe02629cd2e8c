import BackgroundWorkModel

/// The failures of a transfer that every service has, in words: what happened, to which URL, and what to do.
extension TransferFailure {
    package static func invalid(_ problem: String, _ url: TransferURL) -> TransferFailure {
        TransferFailure(
            kind: .invalid, message: "\(url.label): \(problem). Correct the request.", isRetryable: false)
    }

    package static func refusedAddress(_ refusal: AddressRefusal, redirects: Int, _ url: TransferURL) -> TransferFailure
    {
        TransferFailure(
            kind: .refused,
            message: "\(url.label): \(redirects > 0 ? "a redirect" : "the host") led to \(refusal.target), "
                + refusal.reason,
            isRetryable: false)
    }

    /// - Parameter place: where a tus server wants the file to be sent (`Location`).
    package static func refusedPlace(
        _ place: String, _ refusal: AddressRefusal, _ url: TransferURL
    ) -> TransferFailure {
        TransferFailure(
            kind: .refused,
            message: "\(url.label): the server created the upload at \(TransferURL(place).redacted) (Location), which "
                + "leads to \(refusal.target), \(refusal.reason)",
            isRetryable: false)
    }

    package static func forbiddenRedirect(_ detail: String, _ url: TransferURL) -> TransferFailure {
        TransferFailure(
            kind: .refused,
            message: "\(url.label): \(detail). If you trust the URL that the server redirects to, use it directly.",
            isRetryable: false)
    }

    /// - Parameters:
    ///   - reason: the server's phrase for the status; may be empty.
    ///   - retryAfter: the value of that header, if there was one.
    package static func status(
        _ status: Int, reason: String = "", retryAfter: String?, now: WallTime, _ url: TransferURL
    ) -> TransferFailure {
        let advice =
            switch status {
            case 204, 205: "It has no content for this URL. Check the URL."
            case 304: "Leave headers such as If-None-Match out of the request."
            case 300...399: "It names no place to go on from there. Check the URL."
            case 401, 403, 407: "Check the credentials in the request's headers."
            case 404, 410: "Check the URL."
            case 408, 429, 500...599: "Try again later."
            default: "Check the request."
            }
        let words = reason.isEmpty ? "\(status)" : "\(status) \(reason)"
        return TransferFailure(
            kind: .status, message: "\(url.label): the server answered \(words). \(advice)",
            isRetryable: isRetryable(status: status), statusCode: status,
            retryAfterMs: retryAfter.flatMap { RetryAfter.milliseconds($0, now: now) })
    }

    /// Whether a later request may succeed after this status.
    package static func isRetryable(status: Int) -> Bool {
        status == 408 || status == 429 || (500...599).contains(status)
    }

    package static func tooLong(limit: Int64, promised: Int64?, _ url: TransferURL) -> TransferFailure {
        let length = promised.map { "is \($0) bytes long" } ?? "is longer than that"
        return TransferFailure(
            kind: .limit,
            message:
                "\(url.label): the file \(length), and at most \(limit) bytes are allowed. Raise maxBytes if "
                + "a larger file is intended.", isRetryable: false)
    }

    package static func tooLate(afterMs: Int64, _ url: TransferURL) -> TransferFailure {
        TransferFailure(
            kind: .limit,
            message: "\(url.label): not complete \(afterMs / 1000) s after the hand-off, which is its resourceTimeout. "
                + "Enqueue it again, with a longer resourceTimeout if needed.", isRetryable: false)
    }

    package static func wrongChecksum(
        _ found: String, expected: FileChecksum, bytes: Int64, contentType: String?, _ url: TransferURL
    ) -> TransferFailure {
        let type = contentType.map { ", sent as \($0.printable)" } ?? ""
        return TransferFailure(
            kind: .checksum,
            message:
                "\(url.label): the \(bytes) received bytes\(type) have the \(expected.algorithm.rawValue) checksum "
                + "\(found), not \(expected.hex). They were deleted. Check the URL and the expected checksum.",
            isRetryable: false)
    }
}
