import BackgroundWorkFoundation
import Foundation
import Testing

struct ActivityTests {
    @Test("an activity of the process has a reason until it is ended")
    func processActivity() {
        let activity = ProcessInfo.processInfo.beginActivity(options: .userInitiated, reason: "shim export")
        #expect(ActivityShim.reasons.contains("shim export"))
        ProcessInfo.processInfo.endActivity(activity)
        #expect(!ActivityShim.reasons.contains("shim export"))
    }

    #if APPLE_SHAPE_MACOS
    @Test("a scheduled activity is run by a test, and is gone when it is invalidated")
    func backgroundActivity() async {
        let scheduler = NSBackgroundActivityScheduler(identifier: "shim.activity")
        scheduler.interval = 60
        scheduler.schedule { $0(.deferred) }
        #expect(BackgroundActivityShim.scheduled["shim.activity"]?.interval == 60)
        BackgroundActivityShim.setShouldDefer("shim.activity", true)
        #expect(scheduler.shouldDefer)
        let result = await withCheckedContinuation { continuation in
            _ = BackgroundActivityShim.run("shim.activity") { continuation.resume(returning: $0) }
        }
        #expect(result == .deferred)
        scheduler.invalidate()
        #expect(BackgroundActivityShim.scheduled["shim.activity"] == nil)
    }
    #endif
}
