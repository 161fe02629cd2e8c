import BackgroundWork
import Testing

@Suite("The progress of work that was handed off")
struct HandedOffProgressTests {
    @Test("a look at the work shows what the daemon says, and so does a stream of its changes")
    func looks() async throws {
        let place = try await ScriptedScheduler()
        try await place.begin("film", group: "films")
        try await place.begin("other")
        let updates = place.scheduler.updates(id: "film")
        for await info in updates where info.state == .handedOff { break }
        try place.daemon.report(workID: "film", bytes: 250, of: 1000, bytesPerSecond: 50)
        var seen: WorkerProgress?
        for await info in place.scheduler.updates(id: "film") where info.progress?.fraction == 0.25 {
            seen = info.progress
            break
        }
        #expect(seen?.message == "0.2 of 1.0 kB, 50 B/s, 15 s left")
        #expect(try await place.scheduler.info(id: "film")?.progress == seen)
        let found = try await place.scheduler.infos(matching: WorkQuery(tags: [TransferGroup.tag(for: "films")]))
        #expect(found.map(\.progress) == [seen])
        #expect(try await place.scheduler.info(id: "other")?.progress?.fraction == nil)
        await place.scheduler.shutdown()
    }

    @Test("once the work has ended, nothing of its transfer's progress is left")
    func ended() async throws {
        let place = try await ScriptedScheduler()
        try await place.begin("film")
        try place.daemon.report(workID: "film", bytes: 1, of: 4)
        try await place.finish("film", bytes: 4)
        #expect(try await place.scheduler.info(id: "film")?.progress == nil)
        await place.scheduler.shutdown()
    }
}
