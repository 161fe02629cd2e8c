import BackgroundWorkFoundation

/// What a message of a WebSocket consists of.
public enum WebSocketContent: Sendable, Hashable {
    /// Text, valid UTF-8.
    case text(String)
    /// Bytes.
    case data(Data)

    /// How many bytes it has; text in UTF-8.
    public var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .data(let data): data.count
        }
    }
}
