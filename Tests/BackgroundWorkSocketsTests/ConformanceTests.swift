import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkSockets

/// What every engine does.
@Suite("WebSockets over each engine")
struct ConformanceTests {
    private let clock = ManualClock()

    private func open(
        _ engine: EngineUnderTest, answersPings: Bool = true, answersClose: Bool = true
    ) async throws -> (any ConformancePeer, WebSocketConnection) {
        let peer = try engine.make(clock)
        peer.prepare(answersPings: answersPings, answersClose: answersClose)
        let request = WebSocketRequest(peer.url, subprotocols: ["chat.v1", "chat.v2"])
        return (peer, try await peer.transport.connect(request))
    }

    @Test("messages go both ways, in order, with the subprotocol that was chosen", arguments: EngineUnderTest.all)
    func messages(engine: EngineUnderTest) async throws {
        let (peer, socket) = try await open(engine)
        #expect(socket.subprotocol == "chat.v2")
        #expect(socket.closeCode == nil && socket.closeReason == nil)
        try await socket.send("one")
        try await socket.send(Data([2, 3]))
        await peer.messages.wait { $0.count == 2 }
        #expect(peer.messages.values == [.text("one"), .data(Data([2, 3]))])
        await peer.send(.text("four"))
        await peer.send(.data(Data([5])))
        #expect(try await socket.receive() == .text("four"))
        #expect(try await socket.receive() == .data(Data([5])))
    }

    @Test("a loop gets what arrived before the server's close frame, and ends with it", arguments: EngineUnderTest.all)
    func loop(engine: EngineUnderTest) async throws {
        let (peer, socket) = try await open(engine)
        for number in 0..<3 { await peer.send(.text("\(number)")) }
        await peer.close(1001, "restart")
        var received: [WebSocketContent] = []
        for try await message in socket.messages { received.append(message) }
        #expect(received == ["0", "1", "2"].map { .text($0) })
        #expect(socket.closeCode == .goingAway && socket.closeReason == "restart")
    }

    @Test("a code that is no ordinary end is thrown", arguments: EngineUnderTest.all)
    func badEnd(engine: EngineUnderTest) async throws {
        let (peer, socket) = try await open(engine)
        await peer.close(4003, "no")
        let error = await #expect(throws: WebSocketError.self) {
            for try await message in socket.messages { Issue.record("\(message)") }
        }
        #expect(error?.kind == .closed && error?.closeCode?.rawValue == 4003 && error?.isRetryable == false)
        #expect(socket.closeCode?.rawValue == 4003)
    }

    @Test("closing sends code and reason, and ends a loop without an error", arguments: EngineUnderTest.all)
    func closing(engine: EngineUnderTest) async throws {
        let (peer, socket) = try await open(engine)
        async let loop: Void = { for try await message in socket.messages { Issue.record("\(message)") } }()
        await socket.close(code: .init(rawValue: 4000), reason: "bye")
        try await loop
        #expect(peer.closes.values.map(\.code.rawValue) == [4000])
        #expect(peer.closes.values.map(\.reason) == ["bye"])
        #expect(socket.closeCode?.rawValue == 4000)
        let error = await #expect(throws: WebSocketError.self) { try await socket.send("late") }
        #expect(error?.kind == .closed)
        await socket.close()
        #expect(peer.closes.values.count == 1)
    }

    @Test("a code that may not be sent becomes 1000, and a long reason is cut", arguments: EngineUnderTest.all)
    func closeRules(engine: EngineUnderTest) async throws {
        let (peer, socket) = try await open(engine)
        await socket.close(code: .abnormal, reason: String(repeating: "€", count: 100))
        #expect(peer.closes.values.map(\.code) == [.normal])
        #expect(peer.closes.values.map(\.reason) == [String(repeating: "€", count: 41)])
    }

    @Test(
        "a server that does not answer the close frame is waited for as long as was said",
        arguments: EngineUnderTest.all)
    func silentClose(engine: EngineUnderTest) async throws {
        let (peer, socket) = try await open(engine, answersClose: false)
        async let closing: Void = socket.close()
        await peer.closes.wait { !$0.isEmpty }
        await clock.untilSleeping(atLeast: 1)
        #expect(socket.closeCode == nil)
        clock.advance(by: .seconds(5))
        await closing
        #expect(socket.closeCode == .abnormal)
    }

    @Test("a ping tells how long the answer took", arguments: EngineUnderTest.all)
    func ping(engine: EngineUnderTest) async throws {
        let (peer, socket) = try await open(engine)
        #expect(try await socket.ping() == .zero)
        #expect(peer.pings.values.count == 1)
    }

    @Test("a ping that is not answered ends with the connection", arguments: EngineUnderTest.all)
    func deadPing(engine: EngineUnderTest) async throws {
        let (peer, socket) = try await open(engine, answersPings: false)
        let ping = Task { try await socket.ping() }
        await peer.pings.wait { !$0.isEmpty }
        await peer.drop()
        let error = await #expect(throws: WebSocketError.self) {
            // The end is noticed by whoever reads.
            _ = try await socket.receive()
        }
        #expect(error?.kind == .network)
        await #expect(throws: WebSocketError.self) { try await ping.value }
    }

    @Test("the cancellation of a task that receives closes with 1001", arguments: EngineUnderTest.all)
    func cancelledReceive(engine: EngineUnderTest) async throws {
        let (peer, socket) = try await open(engine)
        let task = Task { try await socket.receive() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await peer.closes.wait { !$0.isEmpty }
        #expect(peer.closes.values.map(\.code) == [.goingAway])
        await socket.close()
    }

    @Test("the cancellation of a ping, and of a loop, closes as well", arguments: EngineUnderTest.all)
    func cancelledOthers(engine: EngineUnderTest) async throws {
        let (peer, socket) = try await open(engine, answersPings: false)
        let ping = Task { try await socket.ping() }
        await peer.pings.wait { !$0.isEmpty }
        ping.cancel()
        await #expect(throws: CancellationError.self) { try await ping.value }
        await peer.closes.wait { !$0.isEmpty }
        let (second, looped) = try await open(engine)
        let loop = Task { for try await message in looped.messages { Issue.record("\(message)") } }
        loop.cancel()
        _ = await loop.result
        await second.closes.wait { !$0.isEmpty }
        #expect(second.closes.values.map(\.code) == [.goingAway])
    }

    @Test("each message has one receiver", arguments: EngineUnderTest.all)
    func oneReceiver(engine: EngineUnderTest) async throws {
        let (peer, socket) = try await open(engine)
        let outcomes = Recorder<Result<WebSocketContent, any Error>>()
        for _ in 0..<2 {
            Task {
                do { outcomes.add(.success(try await socket.receive())) } catch { outcomes.add(.failure(error)) }
            }
        }
        await outcomes.wait { $0.count == 1 }
        guard case .failure(let error as WebSocketError) = outcomes.values[0] else {
            Issue.record("both receive")
            return
        }
        #expect(error.kind == .invalid)
        await peer.send(.text("a"))
        await outcomes.wait { $0.count == 2 }
        #expect(try outcomes.values[1].get() == .text("a"))
    }

    @Test("a connection that nobody holds is cut", arguments: EngineUnderTest.all)
    func released(engine: EngineUnderTest) async throws {
        let peer = try engine.make(clock)
        var socket: WebSocketConnection? = try await peer.transport.connect(
            WebSocketRequest(peer.url, subprotocols: ["chat.v2"]))
        weak let held = socket
        #expect(held != nil)
        socket = nil
        #expect(held == nil)
    }

    @Test("an address that the policy forbids is not dialed", arguments: EngineUnderTest.all)
    func policy(engine: EngineUnderTest) async throws {
        let peer = try engine.make(clock)
        for url in ["ws://10.0.0.1/a?token=hidden", "wss://169.254.169.254/", "ws://[::ffff:10.0.0.1]/"] {
            let error = await #expect(throws: WebSocketError.self) {
                try await peer.transport.connect(WebSocketRequest(url))
            }
            #expect(error?.kind == .refused && error?.isRetryable == false, "\(String(describing: error))")
            #expect(error?.message.hasPrefix("WebSocket ws") == true && error?.message.contains("hidden") == false)
        }
    }

    @Test("a policy with an entry that means nothing is named")
    func uselessPolicy() async throws {
        var configuration = WebSocketTransport.Configuration.local(clock)
        configuration.securityPolicy.allowedHosts = ["http://example.com/"]
        let transport = WebSocketTransport(configuration: configuration)
        let error = await #expect(throws: WebSocketError.self) {
            try await transport.connect(WebSocketRequest("ws://127.0.0.1:9/"))
        }
        #expect(error?.kind == .invalid && error?.message.contains("http://example.com/") == true, "\(error as Any)")
    }

    @Test(
        "what cannot be sent as it is is refused before anything is dialed", arguments: EngineUnderTest.all,
        [
            WebSocketRequest("http://127.0.0.1/"), WebSocketRequest("ws://127.0.0.1/#a"),
            WebSocketRequest("ws://u:p@127.0.0.1/"), WebSocketRequest("ws://"),
            WebSocketRequest("ws://127.0.0.1/", headers: ["Sec-WebSocket-Key": "x"]),
            WebSocketRequest("ws://127.0.0.1/", headers: ["Upgrade": "x"]),
            WebSocketRequest("ws://127.0.0.1/", headers: ["A": "x\r\nB: y"]),
            WebSocketRequest("ws://127.0.0.1/", subprotocols: ["a b"]),
            WebSocketRequest("ws://127.0.0.1/", subprotocols: ["a", "a"]),
        ])
    func invalid(engine: EngineUnderTest, request: WebSocketRequest) async throws {
        let peer = try engine.make(clock)
        let error = await #expect(throws: WebSocketError.self) { try await peer.transport.connect(request) }
        #expect(error?.kind == .invalid && error?.isRetryable == false, "\(String(describing: error))")
    }
}
