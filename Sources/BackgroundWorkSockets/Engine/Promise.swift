import Synchronization

/// A result that one task waits for. The cancellation of that task is a result, too.
final class Promise<Value: Sendable>: Sendable {
    private enum State {
        case open
        case waited(CheckedContinuation<Value, any Error>)
        case resolved(Result<Value, any Error>)
        case taken
    }

    private let state = Mutex(State.open)

    /// Returns whether it was the first result.
    @discardableResult
    func resolve(_ result: Result<Value, any Error>) -> Bool {
        let (isFirst, waiting) = state.withLock { state -> (Bool, CheckedContinuation<Value, any Error>?) in
            switch state {
            case .open:
                state = .resolved(result)
                return (true, nil)
            case .waited(let continuation):
                state = .taken
                return (true, continuation)
            case .resolved, .taken: return (false, nil)
            }
        }
        waiting?.resume(with: result)
        return isFirst
    }

    /// To be called once. Throws what it was resolved with, or `CancellationError` at once when the task is cancelled.
    func value() async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Value, any Error>? in
                    if case .resolved(let result) = state {
                        state = .taken
                        return result
                    }
                    state = .waited(continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            resolve(.failure(CancellationError()))
        }
    }
}
