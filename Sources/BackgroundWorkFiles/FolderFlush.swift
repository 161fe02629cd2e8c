import Dispatch
import Synchronization

/// Makes names in folders durable, with one sync for all callers that wait for the same folder.
///
/// Calls during a running sync share the next one, which starts after their names were created.
package final class FolderFlush: Sendable {
    private struct Request: Sendable {
        var folder: String
        /// Creates the names.
        var begin: @Sendable () -> Begun
    }

    private struct Begun: Sendable {
        var needsFlush: Bool
        var end: @Sendable (Result<Void, any Error>) -> Void
    }

    private struct State: Sendable {
        var waiting: [Request] = []
        var isFlushing = false
    }

    private let queue = DispatchQueue(label: "BackgroundWork.FolderFlush")
    private let state = Mutex(State())

    package init() {}

    /// Durable when it returns (fsync(2) on the folder): every rename, new name and removal in the folder that was made
    /// before the call or by `body`. Throws ``FileError``, and what `body` throws.
    ///
    /// - Parameters:
    ///   - body: called on a queue of its own; may block for as long as a rename does.
    ///   - hasChanged: whether, by the returned value, `body` has made a change that must be made durable.
    package func synchronize<Value: Sendable>(
        _ folder: String, after body: @escaping @Sendable () throws -> Value,
        if hasChanged: @escaping @Sendable (Value) -> Bool = { _ in true }
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
            let request = Request(folder: folder) {
                do {
                    let value = try body()
                    return Begun(needsFlush: hasChanged(value)) { flushed in
                        continuation.resume(with: flushed.map { value })
                    }
                } catch {
                    return Begun(needsFlush: false) { _ in continuation.resume(throwing: error) }
                }
            }
            let mustFlush = state.withLock { state in
                state.waiting.append(request)
                defer { state.isFlushing = true }
                return !state.isFlushing
            }
            if mustFlush { queue.async { self.flush() } }
        }
    }

    private func flush() {
        while let group = takeWaiting() {
            let begun = group.map { $0.begin() }
            var results: [String: Result<Void, any Error>] = [:]
            for (request, begun) in zip(group, begun) {
                guard begun.needsFlush else {
                    begun.end(.success(()))
                    continue
                }
                let result = results[request.folder] ?? Result { try Folder.synchronize(request.folder) }
                results[request.folder] = result
                begun.end(result)
            }
        }
    }

    private func takeWaiting() -> [Request]? {
        state.withLock { state in
            defer { state.waiting.removeAll(keepingCapacity: true) }
            if state.waiting.isEmpty { state.isFlushing = false }
            return state.waiting.isEmpty ? nil : state.waiting
        }
    }
}
