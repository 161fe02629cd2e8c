import BackgroundWorkModel
import BackgroundWorkTesting
import TestSupport
import Testing

@testable import BackgroundWork

/// A paused runner claims nothing.
struct PausedRunnerTests {
    @Test("what is claimed in a transaction that had begun before the pause is put back, and runs after the pause")
    func claimedMeanwhile() async throws {
        let runs = Recorder<Int>()
        var fixture = try SchedulerFixture()
        try fixture.workers.register("W") { _, context in
            runs.add(context.runAttempt)
            return .success()
        }
        let scheduler = try await fixture.start()
        try await scheduler.pause()
        try await scheduler.enqueue(TaskRequest(workerClassName: "W"), id: "a")
        await scheduler.waitUntilIdle()
        // A transaction asks at its beginning what may be claimed at its end.
        let isResumed = try await scheduler.store.write { transaction in
            scheduler.runner.pause(.windowIsOver)
            return try transaction.resume(queue: TaskRequest.defaultQueue)
        }
        #expect(isResumed)
        // It is put back in the next transaction, not only when the runner sees that nothing starts.
        try await scheduler.store.write { _ in }
        #expect(try await scheduler.info(id: "a")?.state == .pending)
        #expect(scheduler.runner.load.running == 0)
        #expect(runs.values.isEmpty)
        scheduler.runner.resume(.windowIsOver)
        #expect(try await comesTrue { !runs.values.isEmpty })
        await scheduler.waitUntilIdle()
        #expect(runs.values == [1])
        #expect(try await scheduler.info(id: "a")?.state == .succeeded)
        await scheduler.shutdown()
    }
}
