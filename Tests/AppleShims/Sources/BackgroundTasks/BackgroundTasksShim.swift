// Not on macOS.
#if !APPLE_SHAPE_MACOS
import Dispatch
public import Foundation
import Synchronization

/// What a test does in the system's place.
public enum BackgroundTasksShim {
    /// A request that waits for its launch.
    public struct Pending: Sendable, Hashable {
        /// Of the class of refreshes; otherwise of processing.
        public var isRefresh: Bool
        /// `requiresNetworkConnectivity`
        public var needsNetwork = false
        /// `requiresExternalPower`
        public var needsPower = false
        /// `earliestBeginDate`
        public var earliest: Date?
        /// What the user sees of a continued processing task; `nil` for the other classes.
        public var shown: Shown?
        /// The submission strategy of a continued processing task is `queue`.
        public var mayWait = false
    }

    /// What the user sees of a continued processing task.
    public struct Shown: Sendable, Hashable {
        /// `title`
        public var title: String
        /// `subtitle`
        public var subtitle: String
        /// `progress.completedUnitCount`
        public var completed: Int64
        /// `progress.totalUnitCount`
        public var total: Int64

        /// What a test expects.
        public init(title: String, subtitle: String, completed: Int64 = 0, total: Int64 = 0) {
            self.title = title
            self.subtitle = subtitle
            self.completed = completed
            self.total = total
        }
    }

    /// Sendable, because `task` is used on `queue` only.
    private struct Running: @unchecked Sendable {
        var queue: DispatchQueue
        var task: BGTask
    }

    /// Sendable, because `launch` is called on `queue` only, as Apple's documentation says.
    private struct Handler: @unchecked Sendable {
        var queue: DispatchQueue
        var launch: (BGTask) -> Void
    }

    private struct State {
        var permitted: Set<String> = []
        var handlers: [String: Handler] = [:]
        var pending: [String: Pending] = [:]
        /// The newest task of each identifier.
        var running: [String: Running] = [:]
        var refusals: [String: BGTaskScheduler.Error.Code] = [:]

        func permits(_ identifier: String) -> Bool {
            permitted.contains(identifier)
                || permitted.contains { $0.hasSuffix(".*") && identifier.hasPrefix($0.dropLast()) }
        }
    }

    private static let state = Mutex(State())

    /// As `BGTaskSchedulerPermittedIdentifiers` in Info.plist.
    public static func permit(_ identifiers: Set<String>) { state.withLock { $0.permitted.formUnion(identifiers) } }

    /// The requests that wait, by identifier.
    public static var pending: [String: Pending] { state.withLock { $0.pending } }

    /// Launches the request of an identifier; `completed` is called for each `setTaskCompleted(success:)`.
    /// False when there is no request, or no handler.
    public static func launch(_ identifier: String, completed: @escaping @Sendable (Bool) -> Void) -> Bool {
        let (request, handler) = state.withLock {
            ($0.pending.removeValue(forKey: identifier), $0.handlers[identifier])
        }
        guard let request, let handler else { return false }
        handler.queue.async {
            let task = made(request, identifier, completed)
            let running = Running(queue: handler.queue, task: task)
            state.withLock { $0.running[identifier] = running }
            handler.launch(task)
        }
        return true
    }

    /// Calls the expiration handler of a launched task, once.
    public static func expire(_ identifier: String) {
        guard let running = state.withLock({ $0.running[identifier] }) else { return }
        running.queue.async {
            let handler = running.task.expirationHandler
            running.task.expirationHandler = nil
            handler?()
        }
    }

    /// What the user sees of a launched task.
    public static func shown(_ identifier: String) async -> Shown? {
        guard let running = state.withLock({ $0.running[identifier] }) else { return nil }
        return await withCheckedContinuation { continuation in
            running.queue.async {
                let task = running.task as? BGContinuedProcessingTask
                continuation.resume(
                    returning: task.map {
                        Shown(
                            title: $0.title, subtitle: $0.subtitle, completed: $0.progress.completedUnitCount,
                            total: $0.progress.totalUnitCount)
                    })
            }
        }
    }

    /// From now on requests with this beginning are refused; `nil`: no longer.
    public static func refuse(_ beginning: String, with code: BGTaskScheduler.Error.Code?) {
        state.withLock { $0.refusals[beginning] = code }
    }

    private static func made(
        _ request: Pending, _ identifier: String, _ completed: @escaping @Sendable (Bool) -> Void
    ) -> BGTask {
        if let shown = request.shown {
            return BGContinuedProcessingTask(
                identifier: identifier, title: shown.title, subtitle: shown.subtitle, completed: completed)
        }
        return request.isRefresh
            ? BGAppRefreshTask(identifier: identifier, completed: completed)
            : BGProcessingTask(identifier: identifier, completed: completed)
    }

    static func register(_ identifier: String, _ queue: DispatchQueue, _ launch: @escaping (BGTask) -> Void) -> Bool {
        let handler = Handler(queue: queue, launch: launch)
        return state.withLock { state in
            guard state.permits(identifier) else { return false }
            precondition(state.handlers[identifier] == nil, "\(identifier) has been registered")
            state.handlers[identifier] = handler
            return true
        }
    }

    static func submit(_ request: BGTaskRequest) throws {
        let processing = request as? BGProcessingTaskRequest
        let continued = request as? BGContinuedProcessingTaskRequest
        let pending = Pending(
            isRefresh: request is BGAppRefreshTaskRequest,
            needsNetwork: processing?.requiresNetworkConnectivity ?? false,
            needsPower: processing?.requiresExternalPower ?? false, earliest: request.earliestBeginDate,
            shown: continued.map { Shown(title: $0.title, subtitle: $0.subtitle) },
            mayWait: continued?.strategy == .queue)
        let identifier = request.identifier
        try state.withLock { state in
            guard state.permits(identifier) else { throw BGTaskScheduler.Error(code: .notPermitted) }
            if let refusal = state.refusals.first(where: { identifier.hasPrefix($0.key) }) {
                throw BGTaskScheduler.Error(code: refusal.value)
            }
            // The system ends the app otherwise.
            if continued != nil { precondition(state.handlers[identifier] != nil, "no handler: \(identifier)") }
            state.pending[identifier] = pending
        }
    }

    static func cancel(_ identifier: String) { state.withLock { _ = $0.pending.removeValue(forKey: identifier) } }
}
#endif
