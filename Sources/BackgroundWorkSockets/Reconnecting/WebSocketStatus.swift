/// What a ``ReconnectingWebSocket`` is doing.
public struct WebSocketStatus: Sendable, Hashable {
    /// Whether there is a connection.
    public enum State: String, Sendable, Hashable {
        /// There is none, and none is being made at the moment.
        case disconnected
        /// One is being made.
        case connecting
        /// There is one.
        case connected
    }

    /// Why there is no connection.
    public enum Reason: Sendable, Hashable {
        /// The device has no network, which is waited for.
        case noNetwork
        /// This side has closed it.
        case closed
        /// The server has closed it.
        case closedByServer(WebSocketCloseCode, reason: String)
        /// An attempt has failed, or the connection has broken off; in words that may be shown.
        case failed(String)
    }

    /// Whether there is a connection.
    public internal(set) var state = State.connecting
    /// Of the last end, until it is connected again; `nil` before the first one.
    public internal(set) var reason: Reason?
    /// How many attempts have been made since a connection last held, the current one included.
    public internal(set) var attempts = 0
    /// How long after this status the next attempt follows; `nil` where none is waited for.
    public internal(set) var retryDelay: Duration?
    /// Whether no attempt follows any more.
    public internal(set) var isFinal = false
}
