import BackgroundWork
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// The reported duration of a run when the clock is set meanwhile.
@Suite(.timeLimit(.minutes(5)))
struct RunDurationTests {
    struct Hook: TelemetryHook {
        let ends: Recorder<TelemetryEvent>
        func taskCompleted(_ event: TelemetryEvent) async { ends.add(event) }
    }

    var fixture: SchedulerFixture

    init() throws { fixture = try SchedulerFixture() }

    @Test(
        "the duration of a run is the time that has passed, whatever the wall clock was set to",
        arguments: [-7200.0, -1800, 0, 1800])
    mutating func setDuringRun(by seconds: Double) async throws {
        let begun = Latch()
        let gate = Latch()
        try fixture.workers.register("W") { _, _ in
            begun.open()
            await gate.wait()
            return .success()
        }
        let ends = Recorder<TelemetryEvent>()
        let scheduler = try await fixture.start { $0.telemetry = Hook(ends: ends) }
        try await scheduler.enqueue(TaskRequest(workerClassName: "W"), id: "w")
        await begun.wait()
        fixture.clock.advance(by: .seconds(10))
        if seconds != 0 { fixture.clock.set(fixture.clock.now.addingTimeInterval(seconds)) }
        fixture.clock.advance(by: .seconds(5))
        gate.open()
        await scheduler.waitUntilIdle()
        await scheduler.shutdown()
        #expect(ends.values.map(\.duration) == [.seconds(15)])
    }
}
