import BackgroundWorkSockets
import Foundation
import TestSupport
import Testing

/// With a server that this project did not write.
@Suite("WebSockets with Python's websockets")
struct PeerTests {
    private let peer: WebSocketPeer
    private let transport = transport()

    init() async throws { peer = try await WebSocketPeer() }

    static func transport() -> WebSocketTransport {
        var configuration = WebSocketTransport.Configuration()
        configuration.securityPolicy.allowsLoopback = true
        return WebSocketTransport(configuration: configuration)
    }

    private static func content(_ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
    }

    @Test("texts and bytes come back as they were sent, of every length that frames write differently")
    func echo() async throws {
        var request = WebSocketRequest(peer.url("/echo"))
        request.maximumMessageBytes = 1 << 21
        let socket = try await transport.connect(request)
        for count in [0, 1, 125, 126, 65_535, 65_536, 65_537, 1_000_000] {
            let content = Self.content(count)
            try await socket.send(content)
            #expect(try await socket.receive() == .data(content))
            let text = String(repeating: "ä", count: count / 2)
            try await socket.send(text)
            #expect(try await socket.receive() == .text(text))
        }
        await socket.close()
        #expect(socket.closeCode == .normal)
    }

    @Test(
        "compressed messages come back, with and without the context of earlier ones, and with small windows",
        arguments: [WebSocketPeer.Port.usual, .fresh, .small])
    func compression(port: WebSocketPeer.Port) async throws {
        for (ownContext, serverContext) in [(true, true), (false, true), (true, false)] {
            var request = WebSocketRequest(peer.url("/echo", port))
            var compression = WebSocketCompression()
            (compression.keepsOwnContext, compression.keepsServerContext) = (ownContext, serverContext)
            request.compression = compression
            let socket = try await transport.connect(request)
            #expect(socket.responseHeaders["Sec-WebSocket-Extensions"]?.hasPrefix("permessage-deflate") == true)
            for count in [0, 10, 64, 1000, 100_000, 300_000] {
                for _ in 0..<2 {
                    try await socket.send(Self.content(count))
                    #expect(try await socket.receive() == .data(Self.content(count)))
                    let text = String(repeating: "words and ", count: count / 10)
                    try await socket.send(text)
                    #expect(try await socket.receive() == .text(text))
                }
            }
            await socket.close()
        }
    }

    @Test("a server without compression is spoken to without it")
    func declined() async throws {
        var request = WebSocketRequest(peer.url("/about", .plain))
        request.compression = WebSocketCompression()
        let socket = try await transport.connect(request)
        guard case .text(let about) = try await socket.receive() else { return #expect(Bool(false)) }
        #expect(about.contains("\"extensions\": []"), "\(about)")
    }

    @Test("what cannot be compressed may be as long as allowed")
    func noise() async throws {
        var request = WebSocketRequest(peer.url("/echo"))
        request.compression = WebSocketCompression()
        request.maximumMessageBytes = 65_536
        let socket = try await transport.connect(request)
        var generator = SeededGenerator(seed: 7)
        let content = Data((0..<65_536).map { _ in UInt8.random(in: 0...255, using: &generator) })
        try await socket.send(content)
        #expect(try await socket.receive() == .data(content))
        await socket.close()
    }

    @Test("a compressed message that becomes too long is refused")
    func bomb() async throws {
        var request = WebSocketRequest(peer.url("/big?n=50000000"))
        request.compression = WebSocketCompression()
        let socket = try await transport.connect(request)
        let error = await #expect(throws: WebSocketError.self) { try await socket.receive() }
        #expect(error?.kind == .tooLong)
    }

    @Test("the token is in a header, and the server chooses one of the subprotocols")
    func headers() async throws {
        var request = WebSocketRequest(
            peer.url("/about?x=1"), headers: ["X-A": "b"], subprotocols: ["other", "chat.v2"])
        request.authentication = .bearer(token: "secret-token")
        let socket = try await transport.connect(request)
        #expect(socket.subprotocol == "chat.v2")
        guard case .text(let about) = try await socket.receive() else { return #expect(Bool(false)) }
        for part in [
            "\"authorization\": \"bearer secret-token\"", "\"x-a\": \"b\"", "\"path\": \"/about?x=1\"",
            "\"user-agent\": \"backgroundwork/1\"", "\"protocol\": \"chat.v2\"",
        ] { #expect(about.lowercased().contains(part), "\(about)") }
    }

    @Test("a thousand messages arrive in order, in both directions")
    func order() async throws {
        let burst = try await transport.connect(WebSocketRequest(peer.url("/burst?n=1000")))
        var received: [String] = []
        for try await case .text(let text) in burst.messages { received.append(text) }
        #expect(received == (0..<1000).map(String.init))
        #expect(burst.closeCode == .normal)
        let collect = try await transport.connect(WebSocketRequest(peer.url("/collect?n=1000")))
        for number in 0..<1000 { try await collect.send("\(number)") }
        #expect(try await collect.receive() == .text("true"))
    }

    @Test("fragments are one message, and what would cut a character is not cut")
    func fragments() async throws {
        let socket = try await transport.connect(WebSocketRequest(peer.url("/fragments")))
        #expect(try await socket.receive() == .text("héllo wörld €𝄞"))
        #expect(try await socket.receive() == .data(Data("abcd".utf8)))
    }

    @Test("pings are answered in both directions")
    func pings() async throws {
        let socket = try await transport.connect(WebSocketRequest(peer.url("/ping")))
        #expect(try await socket.receive() == .text("alive"))
        let echo = try await transport.connect(WebSocketRequest(peer.url("/echo")))
        #expect(try await echo.ping() >= .zero)
        try await echo.send("after")
        #expect(try await echo.receive() == .text("after"))
    }

    @Test(
        "the server's close code and reason are there, and end a loop or are thrown",
        arguments: [1000, 1001, 1011, 4001])
    func closeCodes(code: Int) async throws {
        let socket = try await transport.connect(WebSocketRequest(peer.url("/close?n=\(code)&reason=h%C3%A9")))
        try await socket.send("go")
        if code <= 1001 {
            for try await message in socket.messages { Issue.record("\(message)") }
        } else {
            let error = await #expect(throws: WebSocketError.self) {
                for try await message in socket.messages { Issue.record("\(message)") }
            }
            #expect(error?.kind == .closed && error?.closeCode?.rawValue == code)
            #expect(error?.isRetryable == (code == 1011))
        }
        #expect(socket.closeCode?.rawValue == code)
        #expect(socket.closeReason == "hé")
        await #expect(throws: WebSocketError.self) { try await socket.send("late") }
        await socket.close()
    }

    @Test("a connection that breaks off says so")
    func dropped() async throws {
        let socket = try await transport.connect(WebSocketRequest(peer.url("/drop")))
        try await socket.send("go")
        let error = await #expect(throws: WebSocketError.self) { try await socket.receive() }
        #expect(error?.kind == .network && error?.isRetryable == true)
        #expect(socket.closeCode == .abnormal)
    }

    @Test(
        "another status than 101 is an error with the status, the body and advice, and without secrets",
        arguments: [200, 301, 401, 403, 404, 429, 503])
    func rejections(status: Int) async throws {
        var request = WebSocketRequest(peer.url("/status/\(status)?token=hidden-secret"))
        request.authentication = .bearer(token: "hidden-secret")
        let error = await #expect(throws: WebSocketError.self) { try await transport.connect(request) }
        let rejection = try #require(error?.rejection)
        #expect(error?.kind == .rejected && rejection.status == status)
        #expect(error?.isRetryable == [429, 503].contains(status))
        #expect(rejection.retryAfter == .seconds(7) && error?.retryAfter == .seconds(7))
        #expect(rejection.body.contains("no way"))
        var shown = "\(error?.message ?? "")"
        if let error { dump(error, to: &shown) }
        #expect(!shown.contains("hidden-secret") && !shown.contains("token=x"), "\(shown)")
    }

    @Test("what a cancelled task waited for ends at once, and the connection is closed with 1001")
    func cancellation() async throws {
        let socket = try await transport.connect(WebSocketRequest(peer.url("/code")))
        let task = Task { try await socket.receive() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await socket.close()
        #expect(socket.closeCode == .goingAway)
    }

    @Test("a peer that does not read makes the sender wait, and close still ends")
    func deaf() async throws {
        var request = WebSocketRequest(peer.url("/deaf"))
        request.timeouts.close = .milliseconds(300)
        let socket = try await transport.connect(request)
        let sent = Recorder<Int>()
        let task = Task {
            for number in 0..<10_000 {
                try await socket.send(Data(count: 1 << 20))
                sent.add(number)
            }
        }
        await sent.wait { !$0.isEmpty }
        await socket.close()
        await #expect(throws: WebSocketError.self) { try await task.value }
        // The buffers of two sockets, and of the server.
        #expect(sent.values.count < 100)
    }
}
