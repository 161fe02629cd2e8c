import BackgroundWorkModel
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Synchronization
import TestSupport
import Testing

@testable import BackgroundWork

/// The system's handlers and the owners of their sessions, in whichever order they come.
@MainActor
struct SessionEventDispatchTests {
    private let clock = ManualClock()
    private let called = Recorder<String>()

    /// Uses a session by default, and others by their entries in its state file. Calls their handlers when a test says
    /// so.
    private final class Owner: SessionEventOwner {
        let sessionIdentifier: String
        let stateStore: TransferStateStore
        let service: any TransferService
        let sessions = SessionEvents()
        let notices = NoticeLog(clock: ManualClock(), handler: nil)
        private let folder: TemporaryFolder

        init(_ session: String, _ others: String...) async throws {
            sessionIdentifier = session
            folder = try TemporaryFolder()
            service = try FolderTransferService(folder: folder.path + "/daemon")
            stateStore = TransferStateStore(directory: folder.path, clock: ManualClock(), report: { _ in })
            for other in others {
                try await stateStore.put(
                    TransferEntry(
                        sessionIdentifier: other, taskIdentifier: 1, savePath: "/film", workerName: "W",
                        createdAt: WallTime(milliseconds: 0), reference: nil))
            }
        }

        var reported: [SchedulerNotice.Kind] { notices.newest.map(\.kind) }

        func process() { sessions.known() }
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
    func laterOwner() async throws {
        let dispatch = SessionEventDispatch(clock: clock)
        let handler = handOver("a", to: dispatch)
        await clock.untilSleeping(atLeast: 1)
        let other = try await Owner("b")
        let owner = try await Owner("a")
        other.process()
        dispatch.add(other)
        dispatch.add(owner)
        #expect(called.values == [])
        owner.process()
        await handler.wait()
        clock.advance(by: .seconds(60))
        #expect(called.values == ["a"])
        #expect(owner.reported == [])
        #expect(other.reported == [])
    }

    @Test("a handler waits for all owners of its session")
    func severalOwners() async throws {
        let dispatch = SessionEventDispatch(clock: clock)
        let owners = [try await Owner("a"), try await Owner("c", "b", "a")]
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
    func unclaimed() async throws {
        let dispatch = SessionEventDispatch(clock: clock)
        let first = handOver("a", to: dispatch)
        await clock.untilSleeping(atLeast: 1)
        clock.advance(by: .seconds(20))
        await first.wait()
        let owner = try await Owner("b")
        dispatch.add(owner)
        #expect(owner.reported == [.unclaimedSession])
        #expect(owner.notices.newest.first?.message.contains("session a") == true)
        let second = handOver("c", to: dispatch)
        await clock.untilSleeping(atLeast: 1)
        clock.advance(by: .seconds(20))
        await second.wait()
        #expect(owner.reported == [.unclaimedSession, .unclaimedSession])
        #expect(called.values == ["a", "c"])
    }

    @Test("an owner that is gone is not waited for")
    func goneOwner() async throws {
        let dispatch = SessionEventDispatch(clock: clock)
        var owner: Owner? = try await Owner("a")
        owner.map(dispatch.add)
        owner = nil
        let handler = handOver("a", to: dispatch)
        await clock.untilSleeping(atLeast: 1)
        let next = try await Owner("a")
        next.process()
        dispatch.add(next)
        await handler.wait()
        #expect(called.values == ["a"])
    }

    @Test("an owner that does not process in time is not waited for, and is told so")
    func slowOwner() async throws {
        let dispatch = SessionEventDispatch(clock: clock)
        let owner = try await Owner("a")
        dispatch.add(owner)
        let handler = handOver("a", to: dispatch)
        await clock.untilSleeping(atLeast: 1)
        #expect(called.values == [])
        clock.advance(by: .seconds(20))
        await handler.wait()
        #expect(owner.reported == [.deliveryFailure])
        owner.process()
        #expect(called.values == ["a"])
    }
}
