import Synchronization

/// The first of several answers, from any thread, for the one task that waits for it.
package final class FirstAnswer<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var answer: Value?
        var waiting: CheckedContinuation<Value, Never>?
    }

    private let state = Mutex(State())

    package init() {}

    package func give(_ answer: Value) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, Never>? in
            guard state.answer == nil else { return nil }
            state.answer = answer
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: answer)
    }

    /// Returns the answer, when it is there.
    package func wait() async -> Value {
        await withCheckedContinuation { continuation in
            let answer = state.withLock { state in
                if state.answer == nil { state.waiting = continuation }
                return state.answer
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }
}
