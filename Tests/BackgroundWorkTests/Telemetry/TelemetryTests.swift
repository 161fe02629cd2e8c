import BackgroundWork
import BackgroundWorkTesting
import TestSupport
import Testing

/// What the telemetry hook receives.
struct TelemetryTests {
    struct Hook: TelemetryHook {
        let calls: Recorder<String>
        let events: Recorder<TelemetryEvent>
        var gate: Latch?

        func note(_ call: String, _ event: TelemetryEvent) async {
            await gate?.wait()
            calls.add("\(call) \(event.id)")
            events.add(event)
        }
        func taskScheduled(_ event: TelemetryEvent) async { await note("scheduled", event) }
        func taskStarted(_ event: TelemetryEvent) async { await note("started", event) }
        func taskCompleted(_ event: TelemetryEvent) async { await note("completed", event) }
        func taskFailed(_ event: TelemetryEvent) async { await note("failed", event) }
        func chainCompleted(_ event: TelemetryEvent) async { await note("chain completed", event) }
        func chainFailed(_ event: TelemetryEvent) async { await note("chain failed", event) }
        func chainSkipped(_ event: TelemetryEvent) async { await note("chain skipped", event) }
    }

    var fixture: SchedulerFixture
    var hook = Hook(calls: Recorder(), events: Recorder())

    init() throws {
        fixture = try SchedulerFixture()
        try fixture.workers.register("Good") { _, _ in .success() }
        try fixture.workers.register("Bad") { _, _ in .failure(message: "no") }
    }

    @Test("each request and chain is reported from enqueueing to its end, with its latency")
    func order() async throws {
        let scheduler = try await fixture.start { $0.telemetry = hook }
        let good = TaskRequest(workerClassName: "Good")
        try await scheduler.enqueue(good, id: "late", trigger: .oneTime(delay: .seconds(10)))
        fixture.clock.advance(by: .seconds(13))
        await scheduler.waitUntilIdle()
        try await scheduler.beginWith(good).then(good).enqueue(id: "c")
        await scheduler.waitUntilIdle()
        try await scheduler.beginWith(TaskRequest(workerClassName: "Bad")).then(good).enqueue(id: "f")
        await scheduler.waitUntilIdle()
        try await scheduler.beginWith(
            TaskRequest(workerClassName: "Good", delay: .seconds(20), deadline: fixture.clock.now.addingTimeInterval(9))
        ).enqueue(id: "s")
        fixture.clock.advance(by: .seconds(10))
        await scheduler.waitUntilIdle()
        await scheduler.shutdown()
        #expect(
            hook.calls.values == [
                "scheduled late", "started late", "completed late",
                "scheduled c/0.0", "scheduled c/1.0", "started c/0.0", "completed c/0.0", "started c/1.0",
                "completed c/1.0", "chain completed c",
                "scheduled f/0.0", "scheduled f/1.0", "started f/0.0", "failed f/0.0", "failed f/1.0", "chain failed f",
                "scheduled s/0.0", "failed s/0.0", "chain skipped s",
            ])
        #expect(hook.events.values[1].queueLatency == .seconds(3))
    }

    @Test("a hook that does not return delays no work")
    mutating func slow() async throws {
        let gate = Latch()
        hook.gate = gate
        let hook = hook
        let scheduler = try await fixture.start { $0.telemetry = hook }
        try await scheduler.enqueue(
            contentsOf: (0..<100).map { TaskSubmission(TaskRequest(workerClassName: "Good"), id: "w\($0)") })
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.infos(matching: WorkQuery(states: [.succeeded])).count == 100)
        #expect(hook.calls.values.isEmpty)
        gate.open()
        await scheduler.shutdown()
        #expect(hook.calls.values.count == 300)
    }
}
