import BackgroundWorkModel
import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import BackgroundWorkTransfers

struct StateChangeQueueTests {
    /// Writes that block until they are released, and are recorded.
    final class Disk: Sendable {
        let gate = DispatchSemaphore(value: 0)
        let writes = Mutex<[[StateChange]]>([])
        let failing = Mutex(false)

        struct Full: Error {}

        func write(_ changes: [StateChange]) throws {
            writes.withLock { $0.append(changes) }
            gate.wait()
            if failing.withLock({ $0 }) { throw Full() }
        }
    }

    func change(_ number: Int) -> StateChange { .remove(session: "s", task: Int64(number)) }

    @Test("a single change is written at once, and later changes share the next write")
    func groups() async throws {
        let disk = Disk()
        let queue = StateChangeQueue { try disk.write($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await queue.submit([change(0)]) }
            #expect(try await comesTrue { disk.writes.withLock { $0.count } == 1 })
            for number in 1...500 { group.addTask { try await queue.submit([change(number)]) } }
            #expect(try await comesTrue { (0...500).allSatisfy { queue.concerns(change($0).name) } })
            disk.gate.signal()
            disk.gate.signal()
            try await group.waitForAll()
        }
        #expect(disk.writes.withLock { $0.map(\.count) } == [1, 500])
        #expect(!queue.concerns(change(1).name))
    }

    @Test("of several queued changes to one entry the last is written, and all callers are answered")
    func lastWins() async throws {
        let disk = Disk()
        let queue = StateChangeQueue { try disk.write($0) }
        let name = change(1).name
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await queue.submit([change(0)]) }
            #expect(try await comesTrue { disk.writes.withLock { $0.count } == 1 })
            group.addTask {
                try await queue.submit([
                    StateChange(name: name, value: [1]), StateChange(name: name, value: nil),
                    StateChange(name: name, value: [2]),
                ])
            }
            #expect(try await comesTrue { queue.concerns(name) })
            disk.gate.signal()
            disk.gate.signal()
            try await group.waitForAll()
        }
        #expect(disk.writes.withLock { $0.last?.map(\.value) } == [[2]])
    }

    @Test("a failed write fails all its callers, and the next one is tried")
    func failure() async throws {
        let disk = Disk()
        let queue = StateChangeQueue { try disk.write($0) }
        disk.failing.withLock { $0 = true }
        disk.gate.signal()
        await #expect(throws: Disk.Full.self) { try await queue.submit([change(1), change(2)]) }
        #expect(!queue.concerns(change(1).name))
        disk.failing.withLock { $0 = false }
        disk.gate.signal()
        try await queue.submit([change(1)])
    }
}
