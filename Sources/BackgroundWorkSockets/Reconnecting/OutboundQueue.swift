import BackgroundWorkHTTP
import Synchronization

/// Where messages of a reconnecting socket go: to its connection, to those that wait for one, or nowhere.
final class OutboundQueue: Sendable {
    /// What becomes of a message.
    enum Way { case send(WebSocketConnection), queued }

    private struct State: Sendable {
        var connection: WebSocketConnection?
        var queue = FIFO<WebSocketContent>()
        var bytes = 0
        var isClosed = false
    }

    private let rule: ReconnectingWebSocket.SendingWhileDown
    private let url: TransferURL
    private let state = Mutex(State())

    init(_ rule: ReconnectingWebSocket.SendingWhileDown, _ url: TransferURL) {
        self.rule = rule
        self.url = url
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    func way(of content: WebSocketContent) throws(WebSocketError) -> Way {
        let result = state.withLock { state -> Result<Way, WebSocketError> in
            if state.isClosed { return .failure(.over(url)) }
            // Behind those that wait.
            if let connection = state.connection, state.queue.isEmpty { return .success(.send(connection)) }
            guard case .queued(let messages, let bytes) = rule else {
                return .failure(.notConnected("there is no connection at the moment", url))
            }
            guard state.queue.count < messages, content.byteCount <= bytes - state.bytes else {
                return .failure(.notConnected("there is no connection, and no room for another message", url))
            }
            state.queue.append(content)
            state.bytes += content.byteCount
            return .success(.queued)
        }
        return try result.get()
    }

    /// From now on messages go there; false if the socket was closed.
    func connected(_ connection: WebSocketConnection) -> Bool {
        state.withLock { state in
            if state.isClosed { return false }
            state.connection = connection
            return true
        }
    }

    func disconnected() { state.withLock { $0.connection = nil } }

    /// Sends what has waited. Ends when it is sent, or the connection has ended; the rest stays.
    func flush(to connection: WebSocketConnection) async {
        while let next = state.withLock({ $0.queue.first }) {
            do { try await connection.offer(next) } catch { return }
            state.withLock { state in
                _ = state.queue.popFirst()
                state.bytes -= next.byteCount
            }
        }
    }

    /// From now on nothing is sent. Returns the connection, if there is one.
    func close() -> WebSocketConnection? {
        state.withLock { state in
            state.isClosed = true
            return state.connection
        }
    }

    /// Forgets what has waited; an error that says so, if something has.
    func discard() -> WebSocketError? {
        let count = state.withLock { state in
            defer { (state.queue, state.bytes) = (FIFO(), 0) }
            return state.queue.count
        }
        return count > 0 ? .discarded(count, url) : nil
    }
}

extension WebSocketError {
    fileprivate static func over(_ url: TransferURL) -> WebSocketError {
        var error = WebSocketError(
            kind: .closed,
            message:
                "\(url.label): the socket has ended, and makes no more attempts. Make a new one if you still need it.",
            isRetryable: false, closeCode: .normal)
        error.isOwnEnd = true
        return error
    }

    fileprivate static func discarded(_ count: Int, _ url: TransferURL) -> WebSocketError {
        WebSocketError(
            kind: .notConnected,
            message:
                "\(url.label): the socket has ended, and \(count) message\(count == 1 ? "" : "s") that waited for a "
                + "connection \(count == 1 ? "was" : "were") not sent. Send by another one what still matters.",
            isRetryable: false)
    }

    fileprivate static func notConnected(_ problem: String, _ url: TransferURL) -> WebSocketError {
        WebSocketError(
            kind: .notConnected, message: "\(url.label): \(problem). Send it again when the socket is connected.",
            isRetryable: true)
    }
}
