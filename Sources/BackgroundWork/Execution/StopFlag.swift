import BackgroundWorkModel
import Synchronization

/// Whether a run has begun and why it is to stop, readable from the worker while it runs. What was asked to stop before
/// it has begun does not begin.
final class StopFlag: Sendable {
    private struct State {
        var hasBegun = false
        var reason: StopReason?
    }

    private let state = Mutex(State())

    var reason: StopReason? { state.withLock { $0.reason } }

    /// The first reason stays.
    func raise(_ reason: StopReason) { state.withLock { $0.reason = $0.reason ?? reason } }

    /// False when it must not begin any more.
    func begin() -> Bool {
        state.withLock { state in
            state.hasBegun = state.reason == nil
            return state.hasBegun
        }
    }

    /// Keeps it from beginning; what has begun goes on.
    func revoke() {
        state.withLock { state in
            if !state.hasBegun { state.reason = state.reason ?? .shutdown }
        }
    }
}
