import BackgroundWorkModel
import BackgroundWorkTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BackgroundWorkSockets

/// Readers that take their time, hooks that hang, callers that leave.
@Suite("WebSockets that come back, and users of all kinds")
struct ReconnectingOrdinaryLifeTests {
    private let clock = ManualClock()

    @Test("a connection on which messages come is not dead while a ping waits behind them; a silent one is")
    func slowAnswer() async throws {
        let place = await ReconnectingPlace.awaitingPong(clock)
        let task = await place.system.task(1)
        for number in 1...3 {
            await clock.untilSleeping(atLeast: 1)
            task.deliver(.text("\(number)"))
            await place.lines.wait { $0.count == 1 + number }
            clock.advance(by: .seconds(10))
        }
        await clock.untilSleeping(atLeast: 1)
        #expect(place.lines.values == ["connected", "1", "2", "3"])
        while place.lines.values.count < 6 {
            clock.advance(by: .seconds(10))
            try await Task.sleep(for: .milliseconds(1))
        }
        #expect(place.lines.values[4...5] == ["error timeout", "disconnected 1006 "])
        await place.socket.close()
    }

    @Test("closing does not wait for a hook that hangs")
    func hangingHook() async throws {
        let hanging = Promise<Void>()
        let place = ReconnectingPlace(clock) { _ in
        } prepare: { request in
            // Unstructured: it does not notice the cancellation.
            await Task { try? await hanging.value() }.value
            return request
        }
        await clock.untilSleeping(atLeast: 1)
        await place.socket.close()
        await place.end()
        #expect(place.lines.values == ["end"])
        #expect(place.socket.status.isFinal && place.socket.status.reason == .closed)
        hanging.resolve(.success(()))
    }

    @Test("a hook has as long as an attempt")
    func lateHook() async throws {
        let calls = Mutex(0)
        let place = ReconnectingPlace(clock) { _ in
        } prepare: { request in
            let number = calls.withLock { calls -> Int in
                calls += 1
                return calls
            }
            if number == 1 { try await Task.sleep(for: .seconds(100_000)) }
            return request
        }
        await clock.untilSleeping(atLeast: 1)
        clock.advance(by: .seconds(30))
        await place.lines.wait { $0 == ["error timeout"] }
        await place.pass(.milliseconds(500), clock)
        await place.lines.wait { $0 == ["error timeout", "connected"] }
        await place.socket.close()
    }

    @Test("a task that is cancelled sends nothing, and leaves the connection to the others")
    func cancelledSender() async throws {
        let place = ReconnectingPlace(clock)
        await place.lines.wait { $0 == ["connected"] }
        let sender = Task {
            while !Task.isCancelled { await Task.yield() }
            try await place.socket.send("never")
        }
        sender.cancel()
        await #expect(throws: CancellationError.self) { try await sender.value }
        try await place.socket.send("still here")
        let task = await place.system.task(1)
        #expect(task.sent.values == [.text("still here")])
        await place.socket.close()
        await place.end()
        #expect(place.lines.values == ["connected", "disconnected 1000 ", "end"])
    }

    @Test("what is queued when the socket ends is told", arguments: [true, false])
    func discarded(byCaller: Bool) async throws {
        let place = ReconnectingPlace(clock) { configuration in
            configuration.sendingWhileDown = .queued(maximumMessages: 3, maximumBytes: 100)
        } opening: { number in
            number == 1 ? .failed : .rejected(404)
        }
        let wait = await place.waits(clock)
        for text in ["a", "b", "c"] { try await place.socket.send(text) }
        if byCaller { await place.socket.close() } else { clock.advance(by: try #require(wait)) }
        await place.end()
        let own = ["error network", "error notConnected", "end"]
        #expect(
            place.lines.values == (byCaller ? own : ["error network", "error rejected", "error notConnected", "end"]))
        let error = await #expect(throws: WebSocketError.self) { try await place.socket.send("d") }
        #expect(error?.kind == .closed && error?.message.contains("makes no more attempts") == true)
    }

    @Test("a wait that a server asks for is bounded")
    func retryAfter() async throws {
        let place = ReconnectingPlace(clock) { configuration in
            configuration.longestRetryAfter = .seconds(2)
        } opening: { _ in
            .rejected(503)
        }
        #expect(await place.waits(clock) == .seconds(2))
        await place.socket.close()
        await place.end()
    }

    @Test("a model keeps its socket") @MainActor
    func model() async throws {
        let system = ScriptedSystem()
        var configuration = ReconnectingWebSocket.Configuration()
        configuration.clock = clock
        let model = WebSocketModel(
            ReconnectingWebSocket(
                WebSocketRequest("ws://127.0.0.1:9/"),
                transport: WebSocketTransport(.local(clock), SessionEngine(system)), configuration: configuration))
        let task = await system.task(1)
        #expect(try await comesTrue { model.state == .connected })
        task.closeByPeer(1000, "done")
        #expect(try await comesTrue { model.reason == .closedByServer(.normal, reason: "done") })
    }
}
