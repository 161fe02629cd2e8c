import Dispatch
import Synchronization

/// Makes names in folders durable, with one sync for all who wait for the same folder.
///
/// Whoever asks while a sync is under way shares the next one, which begins after the names were made.
package final class FolderFlush: Sendable {
    private typealias Waiting = (folder: String, settle: @Sendable (Result<Void, any Error>) -> Void)

    private struct State: Sendable {
        var waiting: [Waiting] = []
        var isFlushing = false
    }

    private let queue = DispatchQueue(label: "BackgroundWork.FolderFlush")
    private let state = Mutex(State())

    package init() {}

    /// Durable when it returns (fsync(2) on the folder): every rename, new name and removal in the folder that was made
    /// before the call. Throws ``FileError``.
    package func synchronize(_ folder: String) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let mustFlush = state.withLock { state in
                state.waiting.append((folder, { continuation.resume(with: $0) }))
                defer { state.isFlushing = true }
                return !state.isFlushing
            }
            if mustFlush { queue.async { self.flush() } }
        }
    }

    private func flush() {
        while let group = takeWaiting() {
            var results: [String: Result<Void, any Error>] = [:]
            for (folder, settle) in group {
                let result = results[folder] ?? Result { try Folder.synchronize(folder) }
                results[folder] = result
                settle(result)
            }
        }
    }

    private func takeWaiting() -> [Waiting]? {
        state.withLock { state in
            defer { state.waiting.removeAll(keepingCapacity: true) }
            if state.waiting.isEmpty { state.isFlushing = false }
            return state.waiting.isEmpty ? nil : state.waiting
        }
    }
}
