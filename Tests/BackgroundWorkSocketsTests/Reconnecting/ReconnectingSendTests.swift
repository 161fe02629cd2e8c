import BackgroundWorkModel
import BackgroundWorkTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BackgroundWorkSockets

@Suite("What goes through WebSockets that come back")
struct ReconnectingSendTests {
    private let clock = ManualClock()

    @Test("what is sent while down is refused, unless it is to be queued")
    func refused() async throws {
        let place = ReconnectingPlace(clock) { _ in
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
        let place = ReconnectingPlace(clock) { configuration in
            configuration.sendingWhileDown = .queued(maximumMessages: 3, maximumBytes: 10)
        } opening: { number in
            number == 1 ? .failed : .open(subprotocol: nil)
        }
        await place.lines.wait { $0.count == 1 }
        for text in ["12345", "678", "90"] { try await place.socket.send(text) }
        await #expect(throws: WebSocketError.self) { try await place.socket.send("") }
        await place.pass(.milliseconds(500), clock)
        let task = await place.system.task(2)
        await task.sent.wait { $0.count == 3 }
        #expect(task.sent.values == ["12345", "678", "90"].map { .text($0) })
        let other = ReconnectingPlace(clock) { configuration in
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
        let place = ReconnectingPlace(clock) { _ in
        } opening: { _ in
            .failed
        }
        #expect(await place.waits(clock) == .milliseconds(500))
        await place.socket.close()
        await place.end()
        #expect(place.lines.values == ["error network", "end"])
        #expect(clock.sleepers == 0)
    }

    @Test("the cancellation of the loop closes with 1001")
    func cancelledLoop() async throws {
        let place = ReconnectingPlace(clock)
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
        let place = ReconnectingPlace(clock)
        let model = WebSocketModel(place.socket)
        await place.lines.wait { $0 == ["connected"] }
        #expect(try await comesTrue { model.state == .connected && model.reason == nil })
        await place.system.task(1).closeByPeer(1000, "done")
        #expect(try await comesTrue { model.isFinal })
        #expect(model.state == .disconnected && model.reason == .closedByServer(.normal, reason: "done"))
    }
}
