import BackgroundWorkTesting
import Synchronization
import TestSupport
import Testing

@testable import BackgroundWork

/// The system's handlers and the owners of their sessions, in whichever order they come.
@MainActor
struct SessionEventDispatchTests {
    private let clock = ManualClock()
    private let called = Recorder<String>()

    /// Owns sessions, and calls their handlers when a test says so.
    private final class Owner: SessionEventOwner {
        private let sessions: Set<String>
        private let events = SessionEvents()
        let reported = Recorder<String>()

        init(_ sessions: String...) { self.sessions = Set(sessions) }

        func owns(session: String) async -> Bool { sessions.contains(session) }

        func handleEvents(ofSession session: String, then handler: @escaping () -> Void) {
            events.wait(for: session, then: handler)
        }

        func reportUnclaimed(_ message: String) { reported.add(message) }

        func process() { events.known() }
    }

    /// Hands over a session. Returns a latch that its handler opens.
    private func handOver(_ session: String, to dispatch: SessionEventDispatch) -> Latch {
        let latch = Latch()
        dispatch.handleEvents(ofSession: session) { [called] in
            MainActor.preconditionIsolated()
            called.add(session)
            latch.open()
        }
        return latch
    }

    @Test("a handler waits for the owner of its session, which comes later, and for what that processes")
    func laterOwner() async {
        let dispatch = SessionEventDispatch(clock: clock)
        let handler = handOver("a", to: dispatch)
        await clock.untilSleeping(atLeast: 1)
        let (other, owner) = (Owner("b"), Owner("a"))
        other.process()
        dispatch.add(other)
        dispatch.add(owner)
        #expect(called.values == [])
        owner.process()
        await handler.wait()
        clock.advance(by: .seconds(60))
        #expect(called.values == ["a"])
        #expect(owner.reported.values == [])
        #expect(other.reported.values == [])
    }

    @Test("a handler waits for all owners of its session")
    func severalOwners() async {
        let dispatch = SessionEventDispatch(clock: clock)
        let owners = [Owner("a"), Owner("a", "b")]
        owners.forEach(dispatch.add)
        let handler = handOver("a", to: dispatch)
        owners[1].process()
        // The second one's handler has been called by then.
        await handOver("b", to: dispatch).wait()
        #expect(called.values == ["b"])
        owners[0].process()
        await handler.wait()
        #expect(called.values == ["b", "a"])
    }

    @Test("a handler that nobody takes is called in time, and each owner there is, or the next one, is told")
    func unclaimed() async {
        let dispatch = SessionEventDispatch(clock: clock)
        let first = handOver("a", to: dispatch)
        await clock.untilSleeping(atLeast: 1)
        clock.advance(by: .seconds(20))
        await first.wait()
        let owner = Owner("b")
        dispatch.add(owner)
        #expect(owner.reported.values.count == 1)
        #expect(owner.reported.values.first?.contains("session a") == true)
        let second = handOver("c", to: dispatch)
        await clock.untilSleeping(atLeast: 1)
        clock.advance(by: .seconds(20))
        await second.wait()
        #expect(owner.reported.values.count == 2)
        #expect(called.values == ["a", "c"])
    }

    @Test("an owner that is gone is not waited for")
    func goneOwner() async {
        let dispatch = SessionEventDispatch(clock: clock)
        var owner: Owner? = Owner("a")
        owner.map(dispatch.add)
        owner = nil
        let handler = handOver("a", to: dispatch)
        await clock.untilSleeping(atLeast: 1)
        let next = Owner("a")
        next.process()
        dispatch.add(next)
        await handler.wait()
        #expect(called.values == ["a"])
    }
}
