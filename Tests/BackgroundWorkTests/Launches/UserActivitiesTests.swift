#if BACKGROUNDWORK_HAS_ACTIVITY_SCHEDULER
import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkTesting
import TestSupport
import Testing

@testable import BackgroundWork

/// A Mac's way to let a user's work go on: an activity of the process.
struct UserActivitiesTests {
    @Test("an activity with the title lasts as long as the work")
    func activity() async throws {
        let gate = Latch()
        var fixture = try SchedulerFixture()
        try fixture.workers.register("W") { _, _ in
            await gate.wait()
            return .success()
        }
        let scheduler = try await fixture.start()
        try await scheduler.enqueue(TaskRequest(workerClassName: "W"), id: "a")
        let title = "Export of \(fixture.folder.path)"
        let run = try await scheduler.continueInBackground(ids: ["a"], title: title, onExpiration: .keepWork)
        #expect(ActivityShim.reasons.contains(title))
        gate.open()
        #expect(await run.end == .finished(success: true))
        #expect(try await comesTrue { !ActivityShim.reasons.contains(title) })
        await scheduler.shutdown()
    }
}
#endif
