import Synchronization

/// Wakes one waiting task; a signal that comes before the wait is not lost.
final class WakeSignal: Sendable {
    private struct State {
        var isRaised = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func raise() {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            defer { state.waiting = nil }
            state.isRaised = state.waiting == nil
            return state.waiting
        }
        waiting?.resume()
    }

    /// Returns when the signal has been raised since the last return, or when the task is cancelled.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let returnsAtOnce = state.withLock { state -> Bool in
                    if state.isRaised || Task.isCancelled {
                        state.isRaised = false
                        return true
                    }
                    state.waiting = continuation
                    return false
                }
                if returnsAtOnce { continuation.resume() }
            }
        } onCancel: {
            raise()
        }
    }
}
