import Synchronization

/// Counts the outcomes that are being taken in, so that a shutdown can let them end.
final class DeliveryTracker: Sendable {
    private struct State {
        var underWay = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func begin() { state.withLock { $0.underWay += 1 } }

    func end() {
        let isIdle = state.withLock { state in
            state.underWay -= 1
            return state.underWay == 0
        }
        if isIdle { letGo() }
    }

    /// Returns when nothing is under way, or when `letGo` is called.
    func waitUntilIdle() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.underWay > 0 { state.waiting.append(continuation) }
                return state.underWay == 0
            }
            if isIdle { continuation.resume() }
        }
    }

    func letGo() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
