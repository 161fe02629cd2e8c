import BackgroundWorkSystem
import BackgroundWorkTesting
import BackgroundWorkURLSession
import Testing

@testable import BackgroundWorkSockets

/// What stands between the engine and `URLSessionWebSocketTask`, which Foundation on Linux cannot run.
@Suite("WebSockets of a URL session")
struct URLSessionSocketTests {
    private func prepared(_ request: WebSocketRequest) throws -> PreparedSocket {
        try PreparedSocket(request, .local(ManualClock()))
    }

    @Test("messages and close codes are converted")
    func values() {
        for content in [WebSocketContent.text("ä"), .data(Data([1, 2]))] {
            #expect(WebSocketContent(content.taskMessage) == content)
        }
        #expect(WebSocketCloseCode.taskCode(1001) == .goingAway)
        #expect(WebSocketCloseCode.taskCode(1011).rawValue == 1011)
    }

    @Test("the request has the headers, the token and the subprotocols")
    func loadable() throws {
        var request = WebSocketRequest("ws://127.0.0.1:99/a?b", headers: ["X-A": "b"], subprotocols: ["x", "y"])
        request.authentication = .basic(user: "u", password: "p")
        let loadable = try #require(try prepared(request).loadable)
        #expect(loadable.url?.absoluteString == "ws://127.0.0.1:99/a?b")
        #expect(loadable.value(forHTTPHeaderField: "X-A") == "b")
        #expect(loadable.value(forHTTPHeaderField: "Authorization") == "Basic dTpw")
        #expect(loadable.value(forHTTPHeaderField: "Sec-WebSocket-Protocol") == "x, y")
    }

    @Test("an answer has its status and its headers")
    func handshake() throws {
        let url = try #require(URL(string: "ws://127.0.0.1/"))
        let response = HTTPURLResponse(url: url, statusCode: 401, httpVersion: nil, headerFields: ["Retry-After": "7"])
        let handshake = try #require(SessionHandshake(response))
        #expect(handshake.status == 401 && handshake.headers["retry-after"] == "7")
        #expect(SessionHandshake(nil) == nil)
    }

    @Test("what a session cannot do is refused, and an address that the policy forbids is")
    func refused() async throws {
        let system = URLSessionSocketSystem()
        var request = WebSocketRequest("ws://127.0.0.1/")
        request.proxy = .url("http://127.0.0.1:3128")
        let proxied = try prepared(request)
        let error = await #expect(throws: WebSocketError.self) { try await system.check(proxied) }
        #expect(error?.kind == .invalid)
        request.proxy = .direct
        request.compression = WebSocketCompression()
        let compressed = try prepared(request)
        let second = await #expect(throws: WebSocketError.self) { try await SessionEngine(system).connect(compressed) }
        #expect(second?.kind == .invalid)
        let named = try PreparedSocket(WebSocketRequest("ws://localhost.example.invalid./"), .init())
        try await system.check(named)
        await #expect(throws: WebSocketError.self) {
            try await WebSocketTransport().connect(WebSocketRequest("ws://localhost/"))
        }
    }

    @Test("errors are told in words, and a message that is too long is told apart")
    func errors() throws {
        let socket = try prepared(WebSocketRequest("ws://127.0.0.1/a?token=hidden"))
        let system = URLSessionSocketSystem()
        let lost = system.failure(NSError(domain: NSURLErrorDomain, code: NSURLErrorNetworkConnectionLost), of: socket)
        #expect(lost.kind == .network && lost.isRetryable)
        #expect(lost.message.hasPrefix("WebSocket ws://127.0.0.1/a?…: "), "\(lost.message)")
        let long = system.failure(NSError(domain: NSPOSIXErrorDomain, code: Int(EMSGSIZE)), of: socket)
        #expect(long.kind == .tooLong)
    }
}
