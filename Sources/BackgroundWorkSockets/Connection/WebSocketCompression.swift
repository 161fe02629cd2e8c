/// Compression of messages by permessage-deflate (RFC 7692), as it is offered to the server, which may decline it.
///
/// On Linux. A URL session decides by itself what it offers, so elsewhere a request with one is refused.
public struct WebSocketCompression: Sendable, Hashable {
    /// Whether what is sent refers to earlier messages: it is shorter, and costs about 256 KiB of memory.
    public var keepsOwnContext = true
    /// Whether the server's messages may refer to earlier ones, which costs 2 to the power of `serverWindowBits` bytes.
    public var keepsServerContext = true
    /// How far back what is sent may refer, as a power of two in bytes, from 9 to 15. A server may ask for less.
    public var ownWindowBits = 15
    /// The same for the server's messages, from 8 to 15. Below 15 the server is asked for it.
    public var serverWindowBits = 15
    /// Messages of fewer bytes are sent as they are.
    public var minimumBytes = 64

    /// The defaults.
    public init() {}

    var isValid: Bool { (9...15).contains(ownWindowBits) && (8...15).contains(serverWindowBits) }
}
