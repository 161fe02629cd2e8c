import BackgroundWorkModel
import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import BackgroundWorkTransfers

/// Changes without a waiting caller.
struct DeferredRemovalTests {
    /// What was written, each write by the names in it; a write waits while it is shut.
    final class Disk: Sendable {
        let writes = Mutex<[Set<[UInt8]>]>([])
        let gate = DispatchSemaphore(value: 0)
        let isShut = Mutex(false)

        struct Full: Error {}

        func write(_ changes: [StateChange]) {
            writes.withLock { $0.append(Set(changes.map(\.name))) }
            if isShut.withLock({ $0 }) { gate.wait() }
        }
    }

    func change(_ number: Int) -> StateChange { .remove(session: "s", task: Int64(number)) }

    @Test("deferred changes are written with the next change that has a waiting caller")
    func goAlong() async throws {
        let disk = Disk()
        let queue = StateChangeQueue(patience: .seconds(3600)) { disk.write($0) }
        queue.submitLater([change(1)])
        queue.submitLater([change(2)])
        #expect(queue.removals == [change(1).name, change(2).name])
        try await queue.submit([change(3)])
        #expect(disk.writes.withLock { $0 } == [[change(1).name, change(2).name, change(3).name]])
        #expect(queue.removals.isEmpty)
    }

    @Test("without such a change, deferred changes are written by themselves, together")
    func alone() async throws {
        let disk = Disk()
        let queue = StateChangeQueue(patience: .milliseconds(1)) { disk.write($0) }
        queue.submitLater([change(1), change(2)])
        #expect(try await comesTrue { !queue.isBusy })
        #expect(disk.writes.withLock { $0.reduce([]) { $0.union($1) } } == [change(1).name, change(2).name])
    }

    @Test("a change during a write is kept after that write")
    func meanwhile() async throws {
        let disk = Disk()
        disk.isShut.withLock { $0 = true }
        let queue = StateChangeQueue(patience: .milliseconds(1)) { disk.write($0) }
        async let first: Void = queue.submit([change(1)])
        #expect(try await comesTrue { disk.writes.withLock { $0.count } == 1 })
        queue.submitLater([change(2)])
        disk.isShut.withLock { $0 = false }
        disk.gate.signal()
        try await first
        #expect(try await comesTrue { !queue.isBusy })
        #expect(disk.writes.withLock { $0 } == [[change(1).name], [change(2).name]])
    }

    @Test("a later put replaces the removal")
    func overtaken() async throws {
        let disk = Disk()
        let queue = StateChangeQueue(patience: .seconds(3600)) { disk.write($0) }
        queue.submitLater([change(1)])
        let entry = TransferEntry(
            sessionIdentifier: "s", taskIdentifier: 1, savePath: "/f", workerName: "w",
            createdAt: WallTime(milliseconds: 1), reference: nil)
        async let put: Void = queue.submit([.put(entry)])
        #expect(try await comesTrue { queue.removals.isEmpty })
        try await put
        #expect(disk.writes.withLock { $0 } == [[change(1).name]])
    }

    @Test("a failed write of deferred changes is reported")
    func failure() async throws {
        let reported = Mutex(0)
        let queue = StateChangeQueue(patience: .milliseconds(1)) { _ in
            reported.withLock { $0 += 1 }
        } write: { _ in
            throw Disk.Full()
        }
        queue.submitLater([change(1)])
        #expect(try await comesTrue { reported.withLock { $0 } == 1 })
    }

    @Test("a failed write that others waited for is reported as well")
    func failureInCompany() async {
        let reported = Mutex(0)
        let queue = StateChangeQueue(patience: .seconds(3600)) { _ in
            reported.withLock { $0 += 1 }
        } write: { _ in
            throw Disk.Full()
        }
        queue.submitLater([change(1)])
        await #expect(throws: Disk.Full.self) { try await queue.submit([change(2)]) }
        #expect(reported.withLock { $0 } == 1)
        await #expect(throws: Disk.Full.self) { try await queue.submit([change(3)]) }
        #expect(reported.withLock { $0 } == 1)
    }

    @Test("the store leaves out what it is about to remove")
    func store() async throws {
        let folder = try TemporaryFolder()
        let store = TransferStateStore(directory: folder.path, clock: FrozenClock()) { Issue.record("\($0)") }
        let entry = TransferEntry(
            sessionIdentifier: "s", taskIdentifier: 1, savePath: "/f", workerName: "w",
            createdAt: WallTime(milliseconds: 1), reference: nil)
        try await store.put(entry)
        #expect(try store.entries() == [entry])
        store.removeSoon(session: "s", task: 1)
        #expect(try store.entries().isEmpty)
        #expect(try store.entry(session: "s", task: 1) == nil)
        await store.finishRemovals()
        let another = TransferStateStore(directory: folder.path, clock: FrozenClock()) { Issue.record("\($0)") }
        #expect(try another.entries().isEmpty)
        #expect(store.rewrites == 2)
    }
}
