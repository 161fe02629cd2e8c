import BackgroundWorkModel
import BackgroundWorkTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BackgroundWorkSockets

@Suite("WebSockets that come back")
struct ReconnectingTests {
    private let clock = ManualClock()

    /// A socket over a scripted system, and its events as lines.
    private struct Place {
        let system: ScriptedSystem
        let socket: ReconnectingWebSocket
        let lines = Recorder<String>()
        let reader: Task<Void, Never>

        init(
            _ clock: ManualClock, url: String = "ws://127.0.0.1:9/a",
            _ change: (inout ReconnectingWebSocket.Configuration) -> Void = { _ in },
            prepare: @escaping @Sendable (WebSocketRequest) async throws -> WebSocketRequest = { $0 },
            opening: @escaping @Sendable (Int) -> ScriptedSystem.Opening = { _ in .open(subprotocol: nil) }
        ) {
            var configuration = ReconnectingWebSocket.Configuration()
            configuration.clock = clock
            configuration.random = { 0.5 }
            configuration.pingInterval = nil
            change(&configuration)
            system = ScriptedSystem(opening)
            var transport = WebSocketTransport.Configuration.local(clock)
            transport.securityPolicy = .unrestricted
            socket = ReconnectingWebSocket(
                WebSocketRequest(url), transport: WebSocketTransport(transport, SessionEngine(system)),
                configuration: configuration, prepare: prepare)
            reader = Task { [socket, lines] in
                for await event in socket.events { lines.add(Self.line(event)) }
                lines.add("end")
            }
        }

        static func line(_ event: WebSocketEvent) -> String {
            switch event {
            case .connected: "connected"
            case .text(let text): text
            case .data(let data): "\(data.count) bytes"
            case .disconnected(let code, let reason): "disconnected \(code) \(reason)"
            case .error(let error): "error \((error as? WebSocketError).map { $0.kind.rawValue } ?? "\(error)")"
            }
        }

        func end() async { _ = await reader.value }
    }

    /// Lets a wait pass that is the only sleep.
    private func pass(_ duration: Duration) async {
        await clock.untilSleeping(atLeast: 1)
        clock.advance(by: duration)
    }

    @Test("events go on over a drop")
    func goesOn() async throws {
        let place = Place(clock)
        let first = await place.system.task(1)
        first.deliver(.text("one"))
        await place.lines.wait { $0.count == 2 }
        first.drop()
        await pass(.milliseconds(500))
        let second = await place.system.task(2)
        second.deliver(.data(Data([1, 2])))
        await place.lines.wait { $0.count == 6 }
        await place.socket.close()
        await place.end()
        #expect(
            place.lines.values == [
                "connected", "one", "error network", "disconnected 1006 ", "connected", "2 bytes", "disconnected 1000 ",
                "end",
            ])
        #expect(place.socket.status.isFinal && place.socket.status.reason == .closed)
        await #expect(throws: WebSocketError.self) { try await place.socket.send("late") }
    }

    @Test("the waits grow exactly, to the millisecond below a second, up to the cap; the jitter comes from outside")
    func backoff() async throws {
        let random = Mutex([0.5, 0.0, 1.0, 0.5, 0.5])
        let place = Place(clock) { configuration in
            configuration.initialDelay = .milliseconds(125)
            configuration.maximumDelay = .milliseconds(900)
            configuration.random = { random.withLock { $0.removeFirst() } }
            configuration.maximumAttempts = 6
        } opening: { _ in
            .failed
        }
        // 125, 250 shortened by half, 500 lengthened by half, then the cap.
        for (index, wait) in [125, 125, 750, 900, 900].enumerated() {
            await place.lines.wait { $0.count == index + 1 }
            await clock.untilSleeping(atLeast: 1)
            #expect(place.socket.status.retryDelay == .milliseconds(wait))
            clock.advance(by: .milliseconds(wait) - .nanoseconds(1))
            #expect(place.system.tasks.values.count == index + 1)
            clock.advance(by: .nanoseconds(1))
            _ = await place.system.task(index + 2)
        }
        await place.end()
        #expect(place.lines.values == Array(repeating: "error network", count: 6) + ["end"])
    }

    @Test("a connection that held begins the waits anew; one that died at once does not")
    func reset() async throws {
        let place = Place(clock) { $0.maximumDelay = .seconds(1000) }
        for (number, wait) in [(1, 500), (2, 1000), (3, 2000)] {
            let task = await place.system.task(number)
            await place.lines.wait { $0.filter { $0 == "connected" }.count == number }
            task.drop()
            await clock.untilSleeping(atLeast: 1)
            #expect(place.socket.status.retryDelay == .milliseconds(wait))
            clock.advance(by: .milliseconds(wait))
        }
        let task = await place.system.task(4)
        await place.lines.wait { $0.filter { $0 == "connected" }.count == 4 }
        clock.advance(by: .seconds(10))
        task.drop()
        await clock.untilSleeping(atLeast: 1)
        #expect(place.socket.status.retryDelay == .milliseconds(500))
        await place.socket.close()
        await place.end()
    }

    @Test("after a code that says not to come back it does not", arguments: [1000, 1008])
    func finalCodes(code: Int) async throws {
        let place = Place(clock)
        await place.system.task(1).closeByPeer(code, "done")
        await place.end()
        #expect(place.lines.values == ["connected", "disconnected \(code) done", "end"])
        #expect(place.socket.status.reason == .closedByServer(.init(rawValue: code), reason: "done"))
        #expect(place.system.tasks.values.count == 1)
    }

    @Test("after another code it does, and which ones are final is the caller's to say")
    func ownCodes() async throws {
        let place = Place(clock) { $0.finalCloseCodes = [.init(rawValue: 4001)] }
        await place.system.task(1).closeByPeer(1000, "")
        await pass(.milliseconds(500))
        await place.system.task(2).closeByPeer(4001, "")
        await place.end()
        #expect(place.lines.values.last == "end" && place.system.tasks.values.count == 2)
    }

    @Test("an answer that does not change by itself ends it; a 401 asks for the next token")
    func rejections() async throws {
        let tokens = Mutex(0)
        let place = Place(clock) { _ in
        } prepare: { request in
            var request = request
            request.authentication = .bearer(token: "token-\(tokens.withLock { $0 += 1; return $0 })")
            return request
        } opening: { number in
            number == 1 ? .rejected(401) : .rejected(403)
        }
        _ = await place.system.task(1)
        // The server's Retry-After is longer than the schedule's wait.
        await clock.untilSleeping(atLeast: 1)
        #expect(place.socket.status.retryDelay == .seconds(7))
        clock.advance(by: .seconds(7))
        await place.end()
        #expect(place.lines.values == ["error rejected", "error rejected", "end"])
        let sent = place.system.tasks.values.map { $0.request.http.fields.first { $0.name == "Authorization" }?.value }
        #expect(sent == ["Bearer token-1", "Bearer token-2"])
    }

    @Test("a hook that fails counts as an attempt")
    func hook() async throws {
        struct NoToken: Error {}
        let calls = Mutex(0)
        let place = Place(clock) { _ in
        } prepare: { request in
            if calls.withLock({
                $0 += 1; return $0
            }) == 1 {
                throw NoToken()
            }
            return request
        }
        await pass(.milliseconds(500))
        await place.lines.wait { $0.count == 2 }
        #expect(place.lines.values == ["error NoToken()", "connected"])
        await place.socket.close()
    }

    @Test("a ping that is not answered ends a dead connection, and the next attempt follows")
    func deadConnection() async throws {
        let place = Place(clock) { configuration in
            configuration.pingInterval = .seconds(30)
            configuration.pingTimeout = .seconds(10)
        }
        _ = await place.system.task(1)
        await pass(.seconds(30))
        await place.system.server.pings.wait { $0.count == 1 }
        // It was answered, and the next interval runs.
        await clock.untilSleeping(atLeast: 1)
        place.system.server.answersPings.store(false, ordering: .relaxed)
        clock.advance(by: .seconds(30))
        await place.system.server.pings.wait { $0.count == 2 }
        await clock.untilSleeping(atLeast: 1)
        clock.advance(by: .seconds(10))
        await place.lines.wait { $0.count == 3 }
        #expect(place.lines.values == ["connected", "error timeout", "disconnected 1006 "])
        await pass(.milliseconds(500))
        _ = await place.system.task(2)
        await place.socket.close()
        await place.end()
    }

    @Test("no attempt is made while the device has no network, and none is counted")
    func network() async throws {
        let device = ConstraintSwitchboard(satisfied: [])
        let place = Place(clock, url: "wss://8.8.8.8/a") { $0.device = device }
        for await status in place.socket.statuses where status.reason == .noNetwork { break }
        #expect(place.socket.status.state == .disconnected && place.system.tasks.values.isEmpty)
        device.set(.network)
        _ = await place.system.task(1)
        await place.lines.wait { $0 == ["connected"] }
        #expect(place.socket.status.attempts == 1)
        await place.socket.close()
    }

    @Test("what is sent while down is refused, unless it is to be queued")
    func refused() async throws {
        let place = Place(clock) { _ in
        } opening: { _ in
            .silence
        }
        _ = await place.system.task(1)
        let error = await #expect(throws: WebSocketError.self) { try await place.socket.send("a") }
        #expect(error?.kind == .notConnected && error?.isRetryable == true)
        await place.socket.close()
        await place.end()
        #expect(place.lines.values == ["end"])
    }

    @Test("what is queued is bounded, and sent in order when there is a connection")
    func queued() async throws {
        let place = Place(clock) { configuration in
            configuration.sendingWhileDown = .queued(maximumMessages: 3, maximumBytes: 10)
        } opening: { number in
            number == 1 ? .failed : .open(subprotocol: nil)
        }
        await place.lines.wait { $0.count == 1 }
        for text in ["12345", "678", "90"] { try await place.socket.send(text) }
        await #expect(throws: WebSocketError.self) { try await place.socket.send("") }
        await pass(.milliseconds(500))
        let task = await place.system.task(2)
        await task.sent.wait { $0.count == 3 }
        #expect(task.sent.values == ["12345", "678", "90"].map { .text($0) })
        let other = Place(clock) { configuration in
            configuration.sendingWhileDown = .queued(maximumMessages: 3, maximumBytes: 10)
        } opening: { _ in
            .silence
        }
        try await other.socket.send("1234567890")
        await #expect(throws: WebSocketError.self) { try await other.socket.send("1") }
        await other.socket.close()
        await place.socket.close()
    }

    @Test("closing ends a wait, and an attempt, at once")
    func closeWhileDown() async throws {
        let place = Place(clock) { _ in
        } opening: { _ in
            .failed
        }
        await clock.untilSleeping(atLeast: 1)
        await place.socket.close()
        await place.end()
        #expect(place.lines.values == ["error network", "end"])
        #expect(clock.sleepers == 0)
    }

    @Test("the cancellation of the loop closes with 1001")
    func cancelledLoop() async throws {
        let place = Place(clock)
        await place.lines.wait { $0.count == 1 }
        place.reader.cancel()
        await place.system.server.closes.wait { !$0.isEmpty }
        #expect(place.system.server.closes.values.map(\.code) == [.goingAway])
    }

    @Test("events that nobody reads hold up what is received")
    func backPressure() async throws {
        var configuration = ReconnectingWebSocket.Configuration()
        configuration.clock = clock
        let system = ScriptedSystem()
        let socket = ReconnectingWebSocket(
            WebSocketRequest("ws://127.0.0.1:9/"),
            transport: WebSocketTransport(.local(clock), SessionEngine(system)), configuration: configuration)
        let task = await system.task(1)
        for number in 0..<100 { task.deliver(.text("\(number)")) }
        var lines: [String] = []
        for await event in socket.events {
            if case .text(let text) = event { lines.append(text) }
            if lines.count == 100 { break }
        }
        #expect(lines == (0..<100).map(String.init))
        await socket.close()
    }

    @Test("a model shows what the socket does") @MainActor
    func model() async throws {
        let place = Place(clock)
        let model = WebSocketModel(place.socket)
        await place.lines.wait { $0 == ["connected"] }
        #expect(try await comesTrue { model.state == .connected && model.reason == nil })
        await place.system.task(1).closeByPeer(1000, "done")
        #expect(try await comesTrue { model.isFinal })
        #expect(model.state == .disconnected && model.reason == .closedByServer(.normal, reason: "done"))
    }
}
