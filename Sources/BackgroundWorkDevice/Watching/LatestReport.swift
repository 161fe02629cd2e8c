import Dispatch
import Synchronization

/// The newest value that a system has reported, for the one thread that reads it.
final class LatestReport<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let first = DispatchSemaphore(value: 0)

    func set(_ value: Value) {
        let isFirst = self.value.withLock { stored in
            defer { stored = value }
            return stored == nil
        }
        if isFirst { first.signal() }
    }

    /// The newest value. Waits for the first one, as long as `patience`; `nil` if none has come by then.
    func get(patience: DispatchTimeInterval) -> Value? {
        if let value = value.withLock({ $0 }) { return value }
        _ = first.wait(timeout: .now() + patience)
        return value.withLock { $0 }
    }
}
