import BackgroundWorkFiles
import BackgroundWorkModel
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkTransfers

struct StateRewriteTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func store() -> TransferStateStore {
        TransferStateStore(directory: folder.path, clock: FrozenClock()) { Issue.record("\($0)") }
    }

    func entry(_ task: Int) -> TransferEntry {
        TransferEntry(
            sessionIdentifier: "s", taskIdentifier: Int64(task), savePath: "/tmp/item-\(task)", workerName: "W",
            createdAt: WallTime(milliseconds: 42), reference: nil)
    }

    func fill(_ count: Int) throws {
        let document = StateDocument().applying((0..<count).map { StateChange.put(entry($0)) })
        try DurableFile.replace(store().path, with: document?.bytes ?? [])
    }

    @Test("ten thousand puts at once, and as many removes, rewrite a file of ten thousand entries seldom")
    func burst() async throws {
        try fill(10_000)
        let store = store()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 10_000..<20_000 { group.addTask { try await store.put(entry(task)) } }
            try await group.waitForAll()
        }
        #expect((1...200).contains(store.rewrites))
        #expect(try self.store().entries().count == 20_000)
        let before = store.rewrites
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<10_000 { group.addTask { try await store.remove(session: "s", task: Int64(task)) } }
            try await group.waitForAll()
        }
        #expect((1...200).contains(store.rewrites - before))
        #expect(Set(try self.store().entries().map(\.taskIdentifier)) == Set(10_000..<20_000))
    }

    @Test("entries that are removed together cost one write, and no write if they do not exist")
    func together() async throws {
        try fill(100)
        let store = store()
        let entries = try store.entries()
        try await store.remove(entries)
        #expect(store.rewrites == 1)
        #expect(try store.entries().isEmpty)
        try await store.remove(entries)
        try await store.remove([])
        #expect(store.rewrites == 1)
    }

    @Test("a second remove takes no lock", .timeLimit(.minutes(5)))
    func secondRemove() async throws {
        let store = store()
        try await store.put(entry(1))
        try await store.remove(session: "s", task: 1)
        let lock = try #require(try AdvisoryLock(path: store.path + ".lock", contention: .giveUp))
        try await store.remove(session: "s", task: 1)
        #expect(store.rewrites == 2)
        withExtendedLifetime(lock) {}
    }

    @Test("a second remove takes no lock when there was never a file", .timeLimit(.minutes(5)))
    func removeWithoutFile() async throws {
        let store = store()
        try await store.remove(session: "s", task: 1)
        let lock = try #require(try AdvisoryLock(path: store.path + ".lock", contention: .giveUp))
        try await store.remove(session: "s", task: 1)
        #expect(folder.names == [TransferStateStore.fileName + ".lock"])
        withExtendedLifetime(lock) {}
    }

    @Test("a second remove removes an entry that another process has written since")
    func putByAnotherSince() async throws {
        let store = store()
        try await store.put(entry(1))
        try await store.remove(session: "s", task: 1)
        try await self.store().put(entry(1))
        try await store.remove(session: "s", task: 1)
        #expect(try store.entries().isEmpty)
    }

    @Test("a remove during the write of a put takes effect after it")
    func removeBehindPut() async throws {
        let store = store()
        try await store.remove(session: "s", task: 1)
        var lock = try AdvisoryLock(path: store.path + ".lock", contention: .wait)
        async let put: Void = store.put(entry(1))
        while !store.changes.concerns(StateChange.put(entry(1)).name) { await Task.yield() }
        async let removal: Void = store.remove(session: "s", task: 1)
        for _ in 0..<100 { await Task.yield() }
        withExtendedLifetime(lock) {}
        lock = nil
        _ = try await (put, removal)
        #expect(try store.entries().isEmpty)
    }
}
