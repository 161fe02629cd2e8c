#if BACKGROUNDWORK_HAS_CONTINUED_TASKS
import BackgroundTasks
import BackgroundWorkFoundation

/// BGContinuedProcessingTask. Its handlers may be registered at any time, each once.
@available(iOS 26, *)
struct SystemContinuedTasks: ContinuedTaskScheduler {
    func begin(
        _ request: ContinuedRequest, launched: @escaping @Sendable (LaunchedTask) -> Void
    ) async throws(LaunchRequestError) {
        guard await Self.register(request.identifier, launched: launched) else { throw .notPermitted }
        try await SystemLaunchScheduler.submit {
            let made = BGContinuedProcessingTaskRequest(
                identifier: request.identifier, title: request.title, subtitle: request.subtitle)
            made.strategy = request.mayWait ? .queue : .fail
            return made
        }
    }

    func cancel(_ identifier: String) async { await SystemLaunchScheduler().cancel(identifier) }

    @MainActor
    private static func register(_ identifier: String, launched: @escaping @Sendable (LaunchedTask) -> Void) -> Bool {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: .main) { task in
            guard let task = task as? BGContinuedProcessingTask else { return task.setTaskCompleted(success: false) }
            let kept = SystemTask(task)
            let launchedTask = LaunchedTask(
                identifier: identifier, timeLimit: nil,
                shows: { current in
                    Task { @MainActor in kept.show(current()) }
                },
                completed: { success in
                    Task { @MainActor in kept.complete(success: success) }
                })
            let expired: @Sendable () -> Void = { launchedTask.expire() }
            task.expirationHandler = expired
            launched(launchedTask)
        }
    }

    /// Keeps the system's task on the main actor, since it is not sendable.
    @MainActor
    private final class SystemTask {
        private var task: BGContinuedProcessingTask?

        init(_ task: BGContinuedProcessingTask) { self.task = task }

        func show(_ display: ContinuedDisplay) {
            guard let task else { return }
            task.progress.totalUnitCount = display.total
            task.progress.completedUnitCount = display.completed
            guard task.title != display.title || task.subtitle != display.subtitle else { return }
            task.updateTitle(display.title, subtitle: display.subtitle)
        }

        func complete(success: Bool) {
            task?.setTaskCompleted(success: success)
            task = nil
        }
    }
}
#endif
