import Synchronization

/// Collects values from concurrent work.
package final class Recorder<Value: Sendable>: Sendable {
    private let stored = Mutex<[Value]>([])

    package init() {}

    package func add(_ value: Value) { stored.withLock { $0.append(value) } }

    package var values: [Value] { stored.withLock { $0 } }
}
