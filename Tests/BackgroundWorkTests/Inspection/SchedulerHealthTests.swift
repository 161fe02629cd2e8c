import BackgroundWork
import BackgroundWorkTesting
import Testing

/// What `health()` shows of a scheduler and its queues.
struct SchedulerHealthTests {
    var fixture: SchedulerFixture

    init() throws { fixture = try SchedulerFixture() }

    @Test("health shows queues, the longest due item and the device")
    mutating func health() async throws {
        try fixture.workers.register("W") { _, _ in .success() }
        fixture.device.set([.charging])
        let scheduler = try await fixture.start { $0.maximumConcurrentWork = 3 }
        try await scheduler.pause(queue: "q")
        let due = fixture.clock.now
        try await scheduler.enqueue(TaskRequest(workerClassName: "W", queue: "q"), id: "stuck")
        fixture.clock.advance(by: .seconds(60))
        try await scheduler.enqueue(TaskRequest(workerClassName: "W", queue: "q"), id: "stuck too")
        await scheduler.waitUntilIdle()
        let health = try await scheduler.health()
        #expect(health.queues.map(\.name) == ["q"])
        #expect(health.queues.first?.counts == [.pending: 2])
        #expect(health.queues.first?.isPaused == true)
        #expect(health.oldestDueID == "stuck")
        #expect(health.oldestDueSince == due)
        #expect(health.device == DeviceState(satisfied: .charging))
        #expect((health.running, health.slots, health.schedulers) == (0, 3, 1))
        await scheduler.shutdown()
    }
}
