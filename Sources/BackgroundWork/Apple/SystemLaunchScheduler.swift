#if BACKGROUNDWORK_HAS_TASK_SCHEDULER
import BackgroundTasks
import BackgroundWorkFoundation
import Dispatch

/// BGTaskScheduler.
struct SystemLaunchScheduler: LaunchRequestScheduler {
    /// How long the system lets a refresh run: about 30 seconds. Of processing it says minutes.
    private static let timeOfRefresh = Duration.seconds(30)
    /// The calls wait for the system's daemon, and the main thread must not.
    private static let queue = DispatchQueue(label: "BackgroundWork.launches")

    func register(_ identifier: String, launched: @escaping @Sendable (LaunchedTask) -> Void) -> Bool {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: .main) { task in
            let kept = SystemTask(task)
            let launchedTask = LaunchedTask(
                identifier: identifier, timeLimit: task is BGAppRefreshTask ? Self.timeOfRefresh : nil
            ) { success in
                Task { @MainActor in kept.complete(success: success) }
            }
            let expired: @Sendable () -> Void = { launchedTask.expire() }
            task.expirationHandler = expired
            launched(launchedTask)
        }
    }

    func submit(_ request: LaunchRequest) async throws(LaunchRequestError) {
        try await Self.submit { Self.made(request) }
    }

    func cancel(_ identifier: String) async {
        await withCheckedContinuation { continuation in
            Self.queue.async {
                BGTaskScheduler.shared.cancel(taskRequestWithIdentifier: identifier)
                continuation.resume()
            }
        }
    }

    /// Submits a request, which is made on the queue, since it is not sendable.
    static func submit(_ made: @escaping @Sendable () -> BGTaskRequest) async throws(LaunchRequestError) {
        let error = await withCheckedContinuation { continuation in
            queue.async {
                if #available(iOS 27, macCatalyst 27, tvOS 27, visionOS 27, *) {
                    BGTaskScheduler.shared.submitTaskRequest(made()) { error in
                        continuation.resume(returning: error.map(LaunchRequestError.init))
                    }
                } else {
                    continuation.resume(returning: submitAndWait(made()))
                }
            }
        }
        if let error { throw error }
    }

    /// As systems before 27 take it.
    static func submitAndWait(_ request: BGTaskRequest) -> LaunchRequestError? {
        do {
            try BGTaskScheduler.shared.submit(request)
            return nil
        } catch {
            return LaunchRequestError(error)
        }
    }

    private static func made(_ request: LaunchRequest) -> BGTaskRequest {
        let made: BGTaskRequest
        if request.kind == .refresh {
            made = BGAppRefreshTaskRequest(identifier: request.identifier)
        } else {
            let processing = BGProcessingTaskRequest(identifier: request.identifier)
            processing.requiresNetworkConnectivity = request.kind.needsNetwork
            processing.requiresExternalPower = request.kind.needsPower
            made = processing
        }
        made.earliestBeginDate = request.earliest
        return made
    }

    /// Keeps the system's task on the main actor, since it is not sendable.
    @MainActor
    private final class SystemTask {
        private let task: BGTask

        init(_ task: BGTask) { self.task = task }

        func complete(success: Bool) {
            task.setTaskCompleted(success: success)
            // It retains this object.
            task.expirationHandler = nil
        }
    }
}

extension LaunchRequestError {
    fileprivate init(_ error: any Error) {
        self =
            switch (error as? BGTaskScheduler.Error)?.code {
            case .unavailable: .unavailable
            case .tooManyPendingTaskRequests: .tooManyPending
            case .notPermitted: .notPermitted
            case .immediateRunIneligible: .immediateRunIneligible
            default: .other("\(error)")
            }
    }
}
#endif
