#if !APPLE_SHAPE_MACOS
import BackgroundTasks
import Foundation
import Testing

struct BackgroundTasksTests {
    @Test("a permitted request waits, and its launch reaches the handler, which completes the task")
    func launch() async throws {
        let identifier = "shim.processing"
        let isRefused = !BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { _ in }
        #expect(isRefused)
        #expect(throws: BGTaskScheduler.Error.self) {
            try BGTaskScheduler.shared.submit(BGProcessingTaskRequest(identifier: identifier))
        }
        BackgroundTasksShim.permit([identifier])
        let isRegistered = BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
            task.expirationHandler = { task.setTaskCompleted(success: false) }
            task.setTaskCompleted(success: task is BGProcessingTask && task.identifier == "shim.processing")
        }
        #expect(isRegistered)
        let request = BGProcessingTaskRequest(identifier: identifier)
        request.requiresExternalPower = true
        request.earliestBeginDate = Date(timeIntervalSince1970: 7)
        try BGTaskScheduler.shared.submit(request)
        let pending = try #require(BackgroundTasksShim.pending[identifier])
        #expect(!pending.isRefresh && !pending.needsNetwork && pending.needsPower)
        #expect(pending.earliest == Date(timeIntervalSince1970: 7))
        let success = await withCheckedContinuation { continuation in
            if !BackgroundTasksShim.launch(identifier, completed: { continuation.resume(returning: $0) }) {
                continuation.resume(returning: false)
            }
        }
        #expect(success)
        #expect(BackgroundTasksShim.pending[identifier] == nil)
        try BGTaskScheduler.shared.submit(request)
        BGTaskScheduler.shared.cancel(taskRequestWithIdentifier: identifier)
        let isLaunched = BackgroundTasksShim.launch(identifier, completed: { _ in })
        #expect(!isLaunched)
    }
}
#endif
