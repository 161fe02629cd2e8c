import Synchronization

/// Counts what is in progress, so that its end can be waited for.
final class WorkInProgress: Sendable {
    private struct State {
        var inProgress = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func begin() { state.withLock { $0.inProgress += 1 } }

    func end() {
        let isIdle = state.withLock { state in
            state.inProgress -= 1
            return state.inProgress == 0
        }
        if isIdle { releaseWaiters() }
    }

    /// Returns when nothing is in progress, or when `releaseWaiters` is called.
    func waitUntilIdle() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.inProgress > 0 { state.waiting.append(continuation) }
                return state.inProgress == 0
            }
            if isIdle { continuation.resume() }
        }
    }

    func releaseWaiters() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
