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

    @Test("events go on over a drop")
    func goesOn() async throws {
        let place = ReconnectingPlace(clock)
        let first = await place.system.task(1)
        first.deliver(.text("one"))
        await place.lines.wait { $0.count == 2 }
        first.drop()
        await place.pass(.milliseconds(500), clock)
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
        let place = ReconnectingPlace(clock) { configuration in
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
            #expect(await place.waits(clock) == .milliseconds(wait))
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
        let place = ReconnectingPlace(clock) { $0.maximumDelay = .seconds(1000) }
        for (number, wait) in [(1, 500), (2, 1000), (3, 2000)] {
            let task = await place.system.task(number)
            await place.lines.wait { $0.filter { $0 == "connected" }.count == number }
            task.drop()
            #expect(await place.waits(clock) == .milliseconds(wait))
            clock.advance(by: .milliseconds(wait))
        }
        let task = await place.system.task(4)
        await place.lines.wait { $0.filter { $0 == "connected" }.count == 4 }
        clock.advance(by: .seconds(10))
        task.drop()
        #expect(await place.waits(clock) == .milliseconds(500))
        await place.socket.close()
        await place.end()
    }

    @Test("after a code that says not to come back it does not", arguments: [1000, 1008])
    func finalCodes(code: Int) async throws {
        let place = ReconnectingPlace(clock)
        await place.system.task(1).closeByPeer(code, "done")
        await place.end()
        #expect(place.lines.values == ["connected", "disconnected \(code) done", "end"])
        #expect(place.socket.status.reason == .closedByServer(.init(rawValue: code), reason: "done"))
        #expect(place.system.tasks.values.count == 1)
    }

    @Test("after another code it does, and which ones are final is the caller's to say")
    func ownCodes() async throws {
        let place = ReconnectingPlace(clock) { $0.finalCloseCodes = [.init(rawValue: 4001)] }
        await place.system.task(1).closeByPeer(1000, "")
        await place.pass(.milliseconds(500), clock)
        await place.system.task(2).closeByPeer(4001, "")
        await place.end()
        #expect(place.lines.values.last == "end" && place.system.tasks.values.count == 2)
    }

    @Test("an answer that does not change by itself ends it; a 401 asks for the next token")
    func rejections() async throws {
        let tokens = Mutex(0)
        let place = ReconnectingPlace(clock) { _ in
        } prepare: { request in
            var request = request
            request.authentication = .bearer(token: "token-\(tokens.withLock { $0 += 1; return $0 })")
            return request
        } opening: { number in
            number == 1 ? .rejected(401) : .rejected(403)
        }
        _ = await place.system.task(1)
        // The server's Retry-After is longer than the schedule's wait.
        #expect(await place.waits(clock) == .seconds(7))
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
        let place = ReconnectingPlace(clock) { _ in
        } prepare: { request in
            if calls.withLock({
                $0 += 1; return $0
            }) == 1 {
                throw NoToken()
            }
            return request
        }
        await place.pass(.milliseconds(500), clock)
        await place.lines.wait { $0.count == 2 }
        #expect(place.lines.values == ["error NoToken()", "connected"])
        await place.socket.close()
    }

    @Test("pings that are answered go on, and leave the connection alone")
    func livingConnection() async throws {
        let place = ReconnectingPlace(clock) { configuration in
            configuration.pingInterval = .seconds(30)
            configuration.pingTimeout = .seconds(1000)
        }
        await place.lines.wait { $0 == ["connected"] }
        while place.system.server.pings.values.count < 3 {
            await clock.untilSleeping(atLeast: 1)
            clock.advance(by: .seconds(30))
            await Task.yield()
        }
        #expect(place.lines.values == ["connected"])
        await place.socket.close()
    }

    @Test("a ping that is not answered ends a dead connection, and the next attempt follows")
    func deadConnection() async throws {
        let place = await ReconnectingPlace.awaitingPong(clock)
        await clock.untilSleeping(atLeast: 1)
        clock.advance(by: .seconds(10))
        await place.lines.wait { $0.count == 3 }
        #expect(place.lines.values == ["connected", "error timeout", "disconnected 1006 "])
        await place.pass(.milliseconds(500), clock)
        _ = await place.system.task(2)
        await place.socket.close()
        await place.end()
    }

    @Test("no attempt is made while the device has no network, and none is counted")
    func network() async throws {
        let device = ConstraintSwitchboard(satisfied: [])
        let place = ReconnectingPlace(clock, url: "wss://8.8.8.8/a") { $0.device = device }
        for await status in place.socket.statuses where status.reason == .noNetwork { break }
        #expect(place.socket.status.state == .disconnected && place.system.tasks.values.isEmpty)
        device.set(.network)
        _ = await place.system.task(1)
        await place.lines.wait { $0 == ["connected"] }
        #expect(place.socket.status.attempts == 1)
        await place.socket.close()
    }
}
