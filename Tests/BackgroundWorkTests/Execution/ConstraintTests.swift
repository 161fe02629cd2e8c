import BackgroundWork
import BackgroundWorkTesting
import TestSupport
import Testing

/// Conditions of the device, on a switchboard.
struct ConstraintTests {
    var fixture: SchedulerFixture

    init() throws { fixture = try SchedulerFixture() }

    @Test("work begins when all its conditions hold, and other work does not wait for it")
    mutating func begins() async throws {
        let ran = Recorder<String>()
        try fixture.workers.register("W") { _, context in
            ran.add(context.workID)
            return .success()
        }
        fixture.device.set([])
        let scheduler = try await fixture.start()
        try await scheduler.enqueue(
            TaskRequest(workerClassName: "W", constraints: [.unmeteredNetwork, .charging], priority: .critical),
            id: "needy")
        try await scheduler.enqueue(TaskRequest(workerClassName: "W"), id: "plain")
        await scheduler.waitUntilIdle()
        #expect(ran.values == ["plain"])
        let explanation = try #require(try await scheduler.explain(id: "needy"))
        #expect(explanation.reasons == [.conditionsMissing([.unmeteredNetwork, .charging])])
        #expect(explanation.description == "\"needy\" has not started: it needs an unmetered network, external power")
        let events = scheduler.eventBus.events
        fixture.device.set([.network, .charging])
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.info(id: "needy")?.state == .pending)
        fixture.device.set([.unmeteredNetwork, .charging])
        #expect(await SchedulerFixture.take(1, from: events).map(\.workID) == ["needy"])
        await scheduler.shutdown()
    }

    @Test("when a condition is lost the worker is stopped, waits again, and no attempt is counted")
    mutating func lost() async throws {
        let attempts = Recorder<Int>()
        let reasons = Recorder<StopReason?>()
        let started = Latch()
        try fixture.workers.register("W") { _, context in
            attempts.add(context.runAttempt)
            if attempts.values.count > 1 { return .success() }
            started.open()
            try? await Task.sleep(for: .seconds(600))
            reasons.add(context.stopReason)
            throw CancellationError()
        }
        let scheduler = try await fixture.start()
        let events = scheduler.eventBus.events
        try await scheduler.enqueue(TaskRequest(workerClassName: "W", constraints: .network), id: "w")
        await started.wait()
        let updates = scheduler.updates(id: "w")
        fixture.device.set([])
        for await info in updates where info.state == .pending {
            #expect(info.runAttempt == 0)
            #expect(info.message?.contains("condition") == true)
            break
        }
        #expect(reasons.values == [.constraintLost])
        fixture.device.set(.all)
        let event = await SchedulerFixture.take(1, from: events).first
        #expect(event?.success == true)
        #expect(event?.attempt == 1)
        #expect(attempts.values == [1, 1])
        await scheduler.shutdown()
    }
}
