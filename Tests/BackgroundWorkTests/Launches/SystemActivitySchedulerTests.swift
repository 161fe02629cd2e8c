#if BACKGROUNDWORK_HAS_ACTIVITY_SCHEDULER
import BackgroundWorkFoundation
import TestSupport
import Testing

@testable import BackgroundWork

/// NSBackgroundActivityScheduler, with a stand-in for the system.
struct SystemActivitySchedulerTests {
    @Test("an activity is scheduled in its window, says when it is to be deferred, and is ended as it went")
    func activity() async throws {
        let scheduler = SystemActivityScheduler()
        let begun = Recorder<any SystemActivity>()
        let ends = Recorder<NSBackgroundActivityScheduler.Result>()
        await scheduler.schedule("shim.idle", after: .seconds(60), flexibility: .seconds(600)) { begun.add($0) }
        let scheduled = try #require(BackgroundActivityShim.scheduled["shim.idle"])
        #expect(scheduled.interval - scheduled.tolerance == 60)
        #expect(scheduled.interval + scheduled.tolerance == 660)
        #expect(!scheduled.repeats)
        for isFinished in [false, true] {
            BackgroundActivityShim.setShouldDefer("shim.idle", !isFinished)
            #expect(BackgroundActivityShim.run("shim.idle") { ends.add($0) })
            let count = isFinished ? 2 : 1
            #expect(try await comesTrue { begun.values.count == count })
            let activity = try #require(begun.values.last)
            #expect(await activity.shouldDefer == !isFinished)
            await activity.end(isFinished: isFinished)
        }
        #expect(ends.values == [.deferred, .finished])
        await scheduler.cancel("shim.idle")
        #expect(BackgroundActivityShim.scheduled["shim.idle"] == nil)
    }
}
#endif
