import Synchronization

/// Holds an operation's result between its run and its commit.
final class OperationResult<Value: Sendable>: Sendable {
    private let stored = Mutex<Result<Value, any Error>?>(nil)

    func store(_ result: Result<Value, any Error>) { stored.withLock { $0 = result } }

    func take() -> Result<Value, any Error> {
        stored.withLock { $0 } ?? .failure(CancellationError())
    }
}
