import BackgroundWork
import BackgroundWorkTesting
import Testing

/// Work of workers that a scheduler does not have.
struct UnknownWorkerTests {
    var fixture: SchedulerFixture

    init() throws { fixture = try SchedulerFixture() }

    @Test("a scheduler does not run work of workers that it does not have, also when it is more urgent")
    mutating func unknownWorkers() async throws {
        try fixture.workers.register("Own") { _, _ in .success() }
        let scheduler = try await fixture.start { $0.leavesUnknownWorkers = true }
        let events = scheduler.eventBus.events
        try await scheduler.enqueue(TaskRequest(workerClassName: "Foreign", priority: .critical), id: "foreign")
        try await scheduler.enqueue(TaskRequest(workerClassName: "Own", priority: .low), id: "own")
        #expect(await SchedulerFixture.take(1, from: events).map(\.workID) == ["own"])
        #expect(try await scheduler.info(id: "foreign")?.state == .pending)
        #expect(try await scheduler.unfinishedWorkers() == ["Foreign"])
        #expect(try await !scheduler.isBusy(with: ["Own"]))
        await scheduler.shutdown()

        try fixture.workers.register("Foreign") { _, _ in .success() }
        let owner = try await fixture.start()
        await owner.waitUntilIdle()
        #expect(try await owner.info(id: "foreign")?.state == .succeeded)
        await owner.shutdown()
    }
}
