import Synchronization

/// The token that the requests of one run share. When a server rejects it, a new one is fetched once for all of them.
final class BearerTokens: Sendable {
    private struct State: Sendable {
        var token: String?
        var fetching: Task<String, any Error>?
    }

    private let state = Mutex(State())
    private let fetch: @Sendable () async throws -> String

    init(fetch: @escaping @Sendable () async throws -> String) { self.fetch = fetch }

    /// The newest; `nil` before one was fetched.
    var current: String? { state.withLock { $0.token } }

    /// A token other than one that was rejected, `nil` for the credentials of the input. Throws what fetching throws.
    func newer(than rejected: String?) async throws -> String {
        let task = state.withLock { state -> Task<String, any Error> in
            if let token = state.token, token != rejected { return Task { token } }
            if let fetching = state.fetching { return fetching }
            let task = Task { [fetch] in
                defer { self.state.withLock { $0.fetching = nil } }
                let token = try await fetch()
                self.state.withLock { $0.token = token }
                return token
            }
            state.fetching = task
            return task
        }
        // Those who share it belong to one run, which is cancelled as a whole.
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
