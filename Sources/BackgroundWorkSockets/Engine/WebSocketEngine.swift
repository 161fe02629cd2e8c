/// Opens connections on a platform.
protocol WebSocketEngine: Sendable {
    /// Returns when the connection is open. Throws a ``WebSocketError``, or `CancellationError` when the task is
    /// cancelled; nothing is left then.
    func connect(_ socket: PreparedSocket) async throws -> any WebSocketChannel

    /// Ends all connections, now and later.
    func close()
}

/// An open connection on a platform. Its calls end with `CancellationError` when their task is cancelled, and with an
/// error of the kind `closed` or of what ended the connection after its end.
protocol WebSocketChannel: AnyObject, Sendable {
    var opening: WebSocketOpening { get }
    /// `nil` while it is open.
    var ending: WebSocketEnding? { get }
    var traffic: SocketTraffic { get }

    /// Returns when the system has taken all of it.
    func send(_ content: WebSocketContent) async throws
    /// The next message. Messages that have arrived before the end come before it.
    func receive() async throws -> WebSocketContent
    /// Returns when the peer has answered.
    func ping() async throws
    /// Sends a close frame, unless there was one, and returns when the connection has ended. Not cancellable.
    func close(_ code: WebSocketCloseCode, _ reason: String) async
    /// Ends it at once, for this reason unless it has ended. What has arrived can still be received.
    func cut(_ error: WebSocketError)
}

/// What a server has agreed to.
struct WebSocketOpening: Sendable, Hashable {
    var subprotocol: String?
    var headers = HTTPHeaders()
}

/// How a connection has ended.
struct WebSocketEnding: Sendable, Hashable {
    /// The peer's, or the own one if the peer has sent no close frame.
    var code: WebSocketCloseCode
    var reason = ""
    /// What calls throw from now on.
    var error: WebSocketError

    /// By a close frame of the peer's. Its reason may be shown: without control characters, and without secrets of the
    /// request.
    static func closed(_ code: WebSocketCloseCode, _ reason: String, _ socket: PreparedSocket) -> WebSocketEnding {
        let reason = APIText.line(reason, without: socket.secrets, limit: CloseReason.mostBytes)
        return WebSocketEnding(code: code, reason: reason, error: .closed(code, reason, byPeer: true, socket.url))
    }

    /// By an error.
    static func failed(_ error: WebSocketError) -> WebSocketEnding {
        WebSocketEnding(code: error.closeCode ?? .abnormal, error: error)
    }
}

/// What tells a connection that is slow, or waits for its reader, from one that is dead.
struct SocketTraffic: Sendable, Hashable {
    /// Grows when something has come or was sent: bytes or messages, as the platform tells.
    var moved: UInt64
    /// Whether nothing is taken from the network because messages wait for their reader. The answer to a ping may be
    /// behind them.
    var waitsForReader: Bool
}
