import BackgroundWork
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// Work that runs when a file changes; real files, on a clock that the test moves.
struct FileTriggerTests {
    var fixture: SchedulerFixture
    let ran = Recorder<Int>()
    var path: String { fixture.folder.path + "/inbox.txt" }

    init() throws {
        fixture = try SchedulerFixture()
        let ran = ran
        try fixture.workers.register("Read") { _, context in
            ran.add(context.occurrence)
            return .success()
        }
    }

    /// By one rename from another folder, which is one event.
    func write(_ text: String) throws {
        let elsewhere = try TemporaryFolder()
        try Data(text.utf8).write(to: URL(filePath: elsewhere.path + "/new"))
        try DurableFile.renameOnly(elsewhere.path + "/new", to: path)
    }

    /// Writes until its updates report that the item is due.
    func change(_ scheduler: WorkScheduler, to text: String) async throws {
        let updates = scheduler.updates(id: "f")
        try write(text)
        for await info in updates where info.due != nil { break }
    }

    @Test("a change makes it due after the debounce, again and again")
    func changes() async throws {
        let scheduler = try await fixture.start()
        try await scheduler.enqueue(
            TaskRequest(workerClassName: "Read"), id: "f",
            trigger: .fileChanged(path: path, debounce: .seconds(5)))
        await scheduler.waitUntilIdle()
        #expect(ran.values.isEmpty)
        #expect(try await scheduler.explain(id: "f")?.reasons == [.fileUnchanged(path: path)])
        for round in 0..<3 {
            try await change(scheduler, to: "\(round)")
            await scheduler.waitUntilIdle()
            #expect(ran.values.count == round)
            fixture.clock.advance(by: .seconds(5))
            await scheduler.waitUntilIdle()
            #expect(ran.values.count == round + 1)
        }
        await scheduler.shutdown()
    }

    @Test("a change while no process was running is found at the next launch")
    func missed() async throws {
        try write("old")
        let first = try await fixture.start()
        try await first.enqueue(
            TaskRequest(workerClassName: "Read"), id: "f", trigger: .fileChanged(path: path, debounce: .seconds(5)))
        try await change(first, to: "seen")
        fixture.clock.advance(by: .seconds(5))
        await first.waitUntilIdle()
        #expect(ran.values.count == 1)
        await first.shutdown()
        try write("while nobody was there")
        let second = try await fixture.start()
        fixture.clock.advance(by: .seconds(5))
        await second.waitUntilIdle()
        #expect(ran.values.count == 2)
        await second.shutdown()
    }
}
