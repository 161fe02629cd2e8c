import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkTransfers

/// A server has answered with success, but its body is not what was expected.
///
/// Its description may be logged: it names the field, and holds neither a secret of the request nor anything of the body
/// but such names.
public struct APIDecodingError: Error, Sendable, Hashable {
    /// Which field is wrong and how.
    public let problem: String
    /// The status code.
    public let status: Int
    /// The beginning of the body as text, as in ``APIError/body``.
    public let body: String
    /// As in ``APIError/requestID``.
    public let requestID: String?
    /// The request's method.
    public let method: String
    /// The request's URL, without user and password, its query replaced by `…`.
    public let url: String
    /// What the server says that the body is; `nil` if it says nothing.
    public let contentType: String?

    init(_ error: any Error, _ response: HTTPResponse, of request: HTTPRequest, bodyLimit: Int) {
        let words =
            response.body.isEmpty
            ? "it has no body" : JSONCoding.words(for: error, in: String(decoding: response.body, as: UTF8.self))
        let secrets = request.secrets
        problem = APIText.line(words, without: secrets, limit: 500)
        status = response.status
        body = APIText.excerpt(of: response.body, limit: bodyLimit)
        requestID = APIText.requestID(response, request, secrets)
        let url = TransferURL(request.url, method: request.method)
        method = url.method
        self.url = url.redacted
        contentType = response.headers.values(of: "Content-Type").first.map {
            APIText.line($0, without: secrets, limit: 100)
        }
    }
}

extension APIDecodingError: CustomStringConvertible {
    /// Which field of which answer is wrong and how; without the body.
    public var description: String {
        let known = ["\(status)", contentType, requestID.map { "request \($0)" }].compactMap { $0 }
        return "\(method) \(url): the answer (\(known.joined(separator: ", "))) cannot be decoded: \(problem)"
    }
}

extension APIDecodingError: CustomReflectable {
    /// What the description is made of; without the body.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "problem": problem, "status": status, "requestID": requestID as Any, "method": method, "url": url,
                "contentType": contentType as Any,
            ], displayStyle: .struct)
    }
}

extension APIDecodingError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
