import BackgroundWorkFoundation

/// What happens to a ``ReconnectingWebSocket``.
public enum WebSocketEvent: Sendable {
    /// It is connected, or connected again.
    case connected(subprotocol: String?)
    /// A text message.
    case text(String)
    /// A message of bytes.
    case data(Data)
    /// A connection has ended: with the server's close frame, or with `abnormal` without one, after an `error` that says
    /// why. The next attempt follows by itself, unless this is the last event.
    case disconnected(code: WebSocketCloseCode, reason: String)
    /// An attempt has failed, or a connection has broken off: a ``WebSocketError``, or what the hook for the request has
    /// thrown. The next attempt follows by itself, unless this is the last event, or that before it.
    case error(any Error)
}
