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
            handler.launch(
                request.isRefresh
                    ? BGAppRefreshTask(identifier: identifier, completed: completed)
                    : BGProcessingTask(identifier: identifier, completed: completed))
        }
        return true
    }

    static func register(_ identifier: String, _ queue: DispatchQueue, _ launch: @escaping (BGTask) -> Void) -> Bool {
        let handler = Handler(queue: queue, launch: launch)
        return state.withLock { state in
            guard state.permitted.contains(identifier) else { return false }
            precondition(state.handlers[identifier] == nil, "\(identifier) has been registered")
            state.handlers[identifier] = handler
            return true
        }
    }

    static func submit(_ request: BGTaskRequest) throws {
        let processing = request as? BGProcessingTaskRequest
        let pending = Pending(
            isRefresh: processing == nil, needsNetwork: processing?.requiresNetworkConnectivity ?? false,
            needsPower: processing?.requiresExternalPower ?? false, earliest: request.earliestBeginDate)
        let identifier = request.identifier
        try state.withLock { state in
            guard state.permitted.contains(identifier) else { throw BGTaskScheduler.Error(code: .notPermitted) }
            state.pending[identifier] = pending
        }
    }

    static func cancel(_ identifier: String) { state.withLock { _ = $0.pending.removeValue(forKey: identifier) } }
}
#endif
