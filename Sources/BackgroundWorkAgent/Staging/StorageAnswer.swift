#if os(Linux)
import Synchronization

/// Carries a job's value from the storage queue to the network loop.
final class StorageAnswer<Value: Sendable>: Sendable {
    private let content = Mutex<Value?>(nil)

    func set(_ value: Value) { content.withLock { $0 = value } }

    func get() -> Value? { content.withLock { $0 } }
}
#endif
