import Synchronization

/// Collects values from concurrent work.
package final class Recorder<Value: Sendable>: Sendable {
    private struct Waiter: Sendable {
        var isSatisfied: @Sendable ([Value]) -> Bool
        var continuation: CheckedContinuation<Void, Never>
    }

    private struct State: Sendable {
        var values: [Value] = []
        var waiters: [Waiter] = []
    }

    private let state = Mutex(State())

    package init() {}

    package func add(_ value: Value) {
        let satisfied = state.withLock { state in
            state.values.append(value)
            let values = state.values
            let split = state.waiters.partition { $0.isSatisfied(values) }
            defer { state.waiters.removeSubrange(split...) }
            return Array(state.waiters[split...])
        }
        for waiter in satisfied { waiter.continuation.resume() }
    }

    package var values: [Value] { state.withLock { $0.values } }

    /// Returns when the values satisfy the closure.
    package func wait(until isSatisfied: @escaping @Sendable ([Value]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if isSatisfied(state.values) { return true }
                state.waiters.append(Waiter(isSatisfied: isSatisfied, continuation: continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}
