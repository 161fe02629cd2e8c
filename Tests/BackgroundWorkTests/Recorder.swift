import Synchronization

/// Collects values from concurrent work.
final class Recorder<Value: Sendable>: Sendable {
    private let stored = Mutex<[Value]>([])

    func add(_ value: Value) { stored.withLock { $0.append(value) } }

    var values: [Value] { stored.withLock { $0 } }
}
