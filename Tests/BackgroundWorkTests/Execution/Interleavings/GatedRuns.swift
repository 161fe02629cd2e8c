import Synchronization

/// Runs that wait, each until a test lets it end or its task is cancelled.
final class GatedRuns: Sendable {
    private let gates = Mutex<[String: CheckedContinuation<Void, any Error>]>([:])

    /// Runs that have started and wait.
    var waiting: Set<String> { gates.withLock { Set($0.keys) } }

    /// Throws `CancellationError` when the task is cancelled first.
    func wait(_ id: String) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = gates.withLock { gates in
                    if !Task.isCancelled { gates[id] = continuation }
                    return Task.isCancelled
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            gates.withLock { $0.removeValue(forKey: id) }?.resume(throwing: CancellationError())
        }
    }

    /// Lets a run succeed.
    func open(_ id: String) { gates.withLock { $0.removeValue(forKey: id) }?.resume() }

    func openAll() {
        for id in waiting { open(id) }
    }
}
