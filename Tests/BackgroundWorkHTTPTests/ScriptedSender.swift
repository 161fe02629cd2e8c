import BackgroundWorkHTTP
import Foundation
import TestSupport

/// Answers requests as a test says, and remembers them.
final class ScriptedSender: HTTPSending {
    private let requests = Recorder<HTTPRequest>()
    private let answer: @Sendable (HTTPRequest) async throws -> HTTPResponse

    /// - Parameter answer: also what happens while a request is under way.
    init(_ answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) { self.answer = answer }

    var sent: [HTTPRequest] { requests.values }

    func send(
        _ request: HTTPRequest, progress: (@Sendable (HTTPProgress) -> Void)?
    ) async throws -> HTTPResponse {
        requests.add(request)
        return try await answer(request)
    }
}

extension HTTPResponse {
    /// A response of a test.
    static func of(_ status: Int = 200, _ headers: HTTPHeaders = [:], body: String = "") -> HTTPResponse {
        HTTPResponse(head: HTTPResponseHead(status: status, headers: headers, url: "https://x"), body: Data(body.utf8))
    }

    var text: String { String(decoding: body, as: UTF8.self) }
}
