import BackgroundWork
import BackgroundWorkTesting
import Foundation
import Testing

@Suite("Groups of transfers")
struct TransferGroupTests {
    /// The first value that is as wanted.
    private func progress(
        of group: TransferGroup, until isWanted: (TransferGroupProgress) -> Bool
    ) async -> TransferGroupProgress? {
        for await progress in group.progress where isWanted(progress) { return progress }
        return nil
    }

    @Test("a group adds up the files, bytes and speeds of its members only")
    func addsUp() async throws {
        let place = try await ScriptedScheduler()
        let group = place.scheduler.backgroundSessions.group("films")
        for id in ["a", "b", "c"] { try await place.begin(id, group: "films") }
        try await place.begin("other", group: "songs")
        try place.daemon.report(workID: "other", bytes: 1, of: 2, bytesPerSecond: 3)
        try place.daemon.report(workID: "a", bytes: 500, of: 1000, bytesPerSecond: 100)
        try place.daemon.report(workID: "b", bytes: 200, of: 400, bytesPerSecond: 30)
        let partly = try #require(await progress(of: group) { $0.totals.bytes == 700 })
        #expect(partly.files == 3)
        #expect(partly.totals.totalBytes == nil)
        #expect(partly.totals.bytesPerSecond == 130)
        #expect(!partly.isFinished)
        try place.daemon.report(workID: "c", bytes: 0, of: 600)
        let known = try #require(await progress(of: group) { $0.totals.totalBytes != nil })
        #expect(known.totals.totalBytes == 2000)
        #expect(known.totals.fraction == 0.35)
        #expect(known.totals.timeLeft == .seconds(10))
        try await place.finish("a", bytes: 1000)
        try await place.fail("b")
        try await place.finish("c", bytes: 600)
        let end = try await group.state()
        #expect((end.files, end.succeeded, end.failed, end.cancelled) == (3, 2, 1, 0))
        #expect(end.totals.bytes == 1600)
        #expect(end.totals.totalBytes == 1600)
        #expect(end.isFinished)
        await place.scheduler.shutdown()
    }

    @Test("a stream of a group's progress follows its members to their end")
    func follows() async throws {
        let place = try await ScriptedScheduler()
        try await place.begin("a", group: "films")
        let stream = place.scheduler.backgroundSessions.group("films").progress
        try place.daemon.report(workID: "a", bytes: 40, of: 100)
        try await place.finish("a", bytes: 100)
        var last: TransferGroupProgress?
        for await progress in stream {
            #expect(progress.totals.bytes >= last?.totals.bytes ?? 0)
            last = progress
            if progress.isFinished { break }
        }
        #expect(last?.totals.bytes == 100)
        await place.scheduler.shutdown()
    }

    @Test("a group's outcome comes when the last member has ended, across a restart")
    func outcome() async throws {
        let first = try await ScriptedScheduler()
        for id in ["a", "b", "c"] { try await first.begin(id, group: "films") }
        try await first.finish("a", bytes: 10)
        try await first.fail("b")
        await first.scheduler.shutdown()
        let second = try await ScriptedScheduler(after: first)
        let group = second.scheduler.backgroundSessions.group("films")
        #expect(try await group.state().files == 3)
        async let waiting = group.outcome()
        try await second.finish("c", bytes: 10)
        let outcome = try await waiting
        #expect(outcome.members.map(\.workID) == ["a", "b", "c"])
        #expect(outcome.members.map(\.outcome) == [.succeeded, .failed, .succeeded])
        #expect(outcome.unsuccessful.map(\.message) == ["gone"])
        #expect(try await group.outcome() == outcome)
        await second.scheduler.shutdown()
    }

    @Test("a member that is enqueued later extends the group")
    func extended() async throws {
        let place = try await ScriptedScheduler()
        let group = place.scheduler.backgroundSessions.group("films")
        try await place.begin("a", group: "films")
        async let waiting = group.outcome()
        try await place.begin("b", group: "films")
        try await place.finish("a", bytes: 1)
        #expect(try await !group.state().isFinished)
        try await place.finish("b", bytes: 1)
        #expect(try await waiting.members.map(\.workID) == ["a", "b"])
        await place.scheduler.shutdown()
    }

    @Test("a request with the group's tag is a member, whatever its worker")
    func byTag() async throws {
        let place = try await ScriptedScheduler()
        try await place.scheduler.enqueue(
            TaskRequest(workerClassName: "Nobody", tags: [TransferGroup.tag(for: "films")]), id: "n")
        let outcome = try await place.scheduler.backgroundSessions.group("films").outcome()
        #expect(outcome.members.map(\.outcome) == [.failed])
        await place.scheduler.shutdown()
    }

    @Test("a group is cancelled as a whole")
    func cancelled() async throws {
        let place = try await ScriptedScheduler()
        for id in ["a", "b"] { try await place.begin(id, group: "films") }
        let group = place.scheduler.backgroundSessions.group("films")
        #expect(try await group.cancel() == .cancelled(items: 2))
        #expect(try await group.outcome().members.map(\.outcome) == [.cancelled, .cancelled])
        #expect(try await group.state().cancelled == 2)
        await place.daemon.wait { $0.isEmpty }
        await place.scheduler.shutdown()
    }

    @Test("a group without members has no outcome to wait for")
    func empty() async throws {
        let place = try await ScriptedScheduler()
        await #expect(throws: TransferGroupError.noMembers(group: "films")) {
            try await place.scheduler.backgroundSessions.group("films").outcome()
        }
        await place.scheduler.shutdown()
    }

    @Test("a shutdown ends the wait for a group, and its progress")
    func shutdown() async throws {
        let place = try await ScriptedScheduler()
        try await place.begin("a", group: "films")
        let group = place.scheduler.backgroundSessions.group("films")
        let stream = group.progress
        let waiting = Task { try await group.outcome() }
        await place.scheduler.shutdown()
        await #expect(throws: TransferGroupError.shutDown(group: "films")) { try await waiting.value }
        for await _ in stream {}
    }
}
