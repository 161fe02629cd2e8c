/// A message of a type of its own, which an envelope names: `{"type": "chat", "payload": {…}}`.
///
/// ```swift
/// struct Chat: WebSocketMessage {
///     static let messageType = "chat"
///     var text: String
/// }
/// ```
public protocol WebSocketMessage: Codable, Sendable {
    /// The envelope's `type`. Different for each type that a ``WebSocketCodec`` knows.
    static var messageType: String { get }
}

/// A message that was received.
public enum WebSocketReceived: Sendable {
    /// Of a type that the codec knows.
    case message(any WebSocketMessage)
    /// An envelope of another type, as it was received: a newer server may send what this program does not know yet.
    case unknown(type: String, text: String)
    /// Something else than an envelope.
    case other(WebSocketContent)
}
