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

    @Test("a continued processing task is permitted by a wildcard, shows its progress, and expires once")
    func continued() async throws {
        let identifier = "shim.continued.1"
        let request = BGContinuedProcessingTaskRequest(identifier: identifier, title: "A", subtitle: "B")
        #expect(request.strategy == .queue)
        BackgroundTasksShim.permit(["shim.continued.*"])
        let isRegistered = BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
            guard let task = task as? BGContinuedProcessingTask else { return }
            task.progress.totalUnitCount = 10
            task.progress.completedUnitCount = 4
            task.updateTitle(task.title + "2", subtitle: task.subtitle)
            task.expirationHandler = { task.setTaskCompleted(success: false) }
        }
        #expect(isRegistered)
        BackgroundTasksShim.refuse(identifier, with: .immediateRunIneligible)
        #expect(throws: BGTaskScheduler.Error.self) { try BGTaskScheduler.shared.submit(request) }
        BackgroundTasksShim.refuse(identifier, with: nil)
        try BGTaskScheduler.shared.submit(request)
        #expect(BackgroundTasksShim.pending[identifier]?.shown == .init(title: "A", subtitle: "B"))
        let success = await withCheckedContinuation { continuation in
            _ = BackgroundTasksShim.launch(identifier) { continuation.resume(returning: $0) }
            Task {
                while await BackgroundTasksShim.shown(identifier)?.total != 10 { await Task.yield() }
                BackgroundTasksShim.expire(identifier)
                BackgroundTasksShim.expire(identifier)
            }
        }
        #expect(!success)
        let shown = await BackgroundTasksShim.shown(identifier)
        #expect(shown == .init(title: "A2", subtitle: "B", completed: 4, total: 10))
    }
}
#endif
