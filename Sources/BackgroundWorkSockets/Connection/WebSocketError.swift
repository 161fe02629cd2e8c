import BackgroundWorkFoundation

/// A connection could not be opened, or has ended otherwise than by its purpose.
public struct WebSocketError: RetryableError, Hashable {
    /// What kind of failure it is.
    public enum Kind: String, Sendable, Hashable {
        /// No connection, no such host, a reset, a TLS failure, an end without a close frame.
        case network
        /// A time limit is over: of the connection's opening, or for a pong.
        case timeout
        /// The server answered the handshake with another status than 101; see ``WebSocketError/rejection``.
        case rejected
        /// The server breaks the protocol: the connection was closed with 1002 or 1007.
        case protocolViolation
        /// A message is longer than ``WebSocketRequest/maximumMessageBytes``: the connection was closed with 1009.
        case tooLong
        /// The connection is closed; see ``WebSocketError/closeCode``.
        case closed
        /// An address that the security policy forbids.
        case refused
        /// The request, or the call, cannot be carried out as it is.
        case invalid
        /// There is no connection at the moment, or no room for another message until there is one.
        case notConnected
    }

    /// What kind of failure it is.
    public let kind: Kind
    /// What happened, to which URL (without user, password and query), and what to do.
    public let message: String
    /// Whether the same may succeed later.
    public let isRetryable: Bool
    /// The server's answer, of the kind `rejected`.
    public internal(set) var rejection: WebSocketRejection?
    /// Of the kind `closed`: the peer's code, or the own one if only this side has closed.
    public internal(set) var closeCode: WebSocketCloseCode?
    /// Of the kind `closed`: whether this side has closed.
    var isOwnEnd = false

    init(
        kind: Kind, message: String, isRetryable: Bool, rejection: WebSocketRejection? = nil,
        closeCode: WebSocketCloseCode? = nil
    ) {
        self.kind = kind
        self.message = message
        self.isRetryable = isRetryable
        self.rejection = rejection
        self.closeCode = closeCode
    }

    /// How long the server asks to wait before the next try.
    public var retryAfter: Duration? { rejection?.retryAfter }

    /// The same without secrets of its request.
    func hiding(_ secrets: KnownSecrets) -> WebSocketError {
        if secrets.isEmpty { return self }
        var hidden = WebSocketError(
            kind: kind, message: secrets.hidden(in: message), isRetryable: isRetryable,
            rejection: rejection?.hiding(secrets), closeCode: closeCode)
        hidden.isOwnEnd = isOwnEnd
        return hidden
    }
}

extension WebSocketError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}

extension WebSocketError: LocalizedError {
    /// The message.
    public var errorDescription: String? { message }
}
