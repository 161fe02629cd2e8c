import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkTransfers

/// A server has answered with a status outside of 2xx.
///
/// Its description may be logged: it holds neither a secret of the request nor the response's body, which may contain
/// anything; that is in ``body``.
public struct APIError: RetryableError, Hashable {
    /// The status code.
    public let status: Int
    /// Those of the response.
    public let headers: HTTPHeaders
    /// The beginning of the response's body as text, at most ``APIClient/errorBodyLimit`` bytes of it. Control characters
    /// are removed, but for line breaks and tabs, which are spaces. Empty if there was none.
    public let body: String
    /// Under which id the server's logs have the request: `X-Request-Id` of the response, else that of the request; `nil`
    /// if neither has one.
    public let requestID: String?
    /// How long the server asks to wait (`Retry-After`, seconds or a date), from its answer on.
    public let retryAfter: Duration?
    /// The request's method.
    public let method: String
    /// The request's URL, without user and password, its query replaced by `…`.
    public let url: String

    /// - Parameters:
    ///   - bodyLimit: how many bytes of the body are kept.
    ///   - now: of which a `Retry-After` with a date is counted.
    init(_ response: HTTPResponse, of request: HTTPRequest, bodyLimit: Int, now: WallTime) {
        status = response.status
        headers = response.headers
        body = APIText.excerpt(of: response.body, limit: bodyLimit)
        requestID = APIText.requestID(response, request, request.secrets)
        retryAfter = response.headers.values(of: "Retry-After").first.flatMap { RetryAfter.milliseconds($0, now: now) }
            .map { .milliseconds($0) }
        let url = TransferURL(request.url, method: request.method)
        method = url.method
        self.url = url.redacted
    }

    /// Whether the same request may succeed later: 408, 429, 500, 502, 503 and 504.
    public var isRetryable: Bool { [408, 429, 500, 502, 503, 504].contains(status) }

    private var advice: String {
        switch status {
        case 304:
            "The resource has not changed since the version that the request's condition names. Leave headers such as "
                + "If-None-Match out to get it again."
        case 300...399 where headers["Location"] == nil: "It names no place to go on from there. Check the URL."
        case 300...399: "The redirect was not followed; use the URL that it names."
        case 401: "Check or renew the credentials."
        case 403: "These credentials do not allow it."
        case 404, 410: "Check the URL, and whether the resource still exists."
        case 405: "Check the method."
        case 408: "Try again."
        case 409, 412: "The resource was changed by another request; load it again before the next try."
        case 413: "Send less."
        case 400, 415, 422: "Correct the request's content; the error's body may say where."
        case 429: "Send fewer requests; try again " + (retryAfter.map { "after \($0)." } ?? "later.")
        case 501: "The server does not support it; check the method and the URL."
        case 505: "The server does not support this version of HTTP."
        case 500...599 where isRetryable:
            "The server has failed; try again " + (retryAfter.map { "after \($0)." } ?? "later.")
        case 500...599: "The server has failed; the error's body may say why."
        default: "Check the request; the error's body may say what is wrong."
        }
    }
}

extension APIError: CustomStringConvertible {
    /// What happened, to which request, and what to do; without the body.
    public var description: String {
        "\(method) \(url): the server answered \(status)\(requestID.map { " (request \($0))" } ?? ""). \(advice)"
    }
}

extension APIError: CustomReflectable {
    /// What the description is made of; without headers and body.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "status": status, "requestID": requestID as Any, "retryAfter": retryAfter as Any, "method": method,
                "url": url,
            ], displayStyle: .struct)
    }
}

extension APIError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
