import Synchronization

/// The status of a socket, and who follows it.
final class StatusBoard: Sendable {
    private struct State: Sendable {
        var status = WebSocketStatus()
        var nextID = 0
        var followers: [Int: AsyncStream<WebSocketStatus>.Continuation] = [:]
    }

    private let state = Mutex(State())

    var current: WebSocketStatus { state.withLock { $0.status } }

    func change(_ change: (inout WebSocketStatus) -> Void) {
        let ended = state.withLock { state -> [AsyncStream<WebSocketStatus>.Continuation] in
            if state.status.isFinal { return [] }
            change(&state.status)
            for follower in state.followers.values { follower.yield(state.status) }
            guard state.status.isFinal else { return [] }
            defer { state.followers = [:] }
            return Array(state.followers.values)
        }
        // Outside: it calls what forgets a follower.
        for follower in ended { follower.finish() }
    }

    func changes() -> AsyncStream<WebSocketStatus> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: WebSocketStatus.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.nextID += 1
            continuation.yield(state.status)
            if state.status.isFinal { continuation.finish() } else { state.followers[state.nextID] = continuation }
            return state.nextID
        }
        continuation.onTermination = { [weak self] _ in
            self?.forget(id)
        }
        return stream
    }

    private func forget(_ id: Int) { state.withLock { _ = $0.followers.removeValue(forKey: id) } }
}
