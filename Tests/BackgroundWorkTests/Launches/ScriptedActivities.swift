import Synchronization
import TestSupport
import Testing

@testable import BackgroundWork

/// Plays the system's part for activities: it keeps them, and begins them when a test says so.
final class ScriptedActivities: ActivityScheduler {
    struct Pending: Sendable {
        var delay: Duration
        var flexibility: Duration
        fileprivate var began: @Sendable (any SystemActivity) -> Void
    }

    private let state = Mutex<[String: Pending]>([:])

    /// By identifier.
    var pending: [String: Pending] { state.withLock { $0 } }

    func schedule(
        _ identifier: String, after delay: Duration, flexibility: Duration,
        began: @escaping @Sendable (any SystemActivity) -> Void
    ) async {
        state.withLock { $0[identifier] = Pending(delay: delay, flexibility: flexibility, began: began) }
    }

    func cancel(_ identifier: String) async { state.withLock { $0[identifier] = nil } }

    /// Begins an activity, which must be pending.
    func begin(_ identifier: String) throws -> ScriptedActivity {
        let began = try #require(state.withLock { $0.removeValue(forKey: identifier) }).began
        let activity = ScriptedActivity(began: began)
        began(activity)
        return activity
    }

    /// Begins an activity again that was deferred.
    func begin(again activity: ScriptedActivity) -> ScriptedActivity {
        let again = ScriptedActivity(began: activity.began)
        activity.began(again)
        return again
    }
}

/// One time that the system gives.
final class ScriptedActivity: SystemActivity {
    fileprivate let began: @Sendable (any SystemActivity) -> Void
    private let isToDefer = Atomic(false)
    /// Whether it was finished, for each end.
    let ends = Recorder<Bool>()

    fileprivate init(began: @escaping @Sendable (any SystemActivity) -> Void) { self.began = began }

    var shouldDefer: Bool { get async { isToDefer.load(ordering: .acquiring) } }

    func askToDefer() { isToDefer.store(true, ordering: .releasing) }

    func end(isFinished: Bool) async { ends.add(isFinished) }
}
