/// A connection to be opened by a ``WebSocketTransport``.
public struct WebSocketRequest: Sendable {
    /// `ws` or `wss`.
    public var url: String
    /// Sent with the handshake. A token belongs here, or in ``authentication``: a query is written into the logs of
    /// servers and proxies. Those of the handshake itself (`Sec-WebSocket-…`) are the transport's own.
    public var headers: HTTPHeaders
    /// Which the program speaks, the preferred one first. Without any, none is negotiated.
    public var subprotocols: [String]
    /// Basic or bearer; a digest would need a second handshake, and is refused.
    public var authentication: HTTPAuthentication?
    /// Certificates, authorities and pinned keys.
    public var tls = TLSOptions()
    /// By which proxy; ``ProxyChoice/automatic`` asks the environment, where the policy allows any address.
    public var proxy = ProxyChoice.automatic
    /// Whether messages may be compressed; `nil` does not offer it.
    public var compression: WebSocketCompression?
    /// The most bytes of a received message, after decompression; a longer one closes the connection with 1009.
    public var maximumMessageBytes = 1 << 20
    /// How long its parts may take.
    public var timeouts = WebSocketTimeouts()

    /// Creates a request. It is checked when the connection is opened.
    public init(_ url: String, headers: HTTPHeaders = [:], subprotocols: [String] = []) {
        self.url = url
        self.headers = headers
        self.subprotocols = subprotocols
    }
}

extension WebSocketRequest: CustomStringConvertible {
    /// The URL, without user, password and query.
    public var description: String { TransferURL(url, method: "WebSocket").label }
}

extension WebSocketRequest: CustomReflectable {
    /// Without secrets: its URL without user, password, query and fragment.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "url": ShownURL.text(url), "headers": headers, "subprotocols": subprotocols,
                "authentication": authentication as Any, "tls": tls, "proxy": proxy, "compression": compression as Any,
                "maximumMessageBytes": maximumMessageBytes, "timeouts": timeouts,
            ], displayStyle: .struct)
    }
}

/// How long the parts of a connection may take.
public struct WebSocketTimeouts: Sendable, Hashable {
    /// Until it is open: name resolution, TLS, a proxy and the server's answer included.
    public var connect = Duration.seconds(30)
    /// Between the own close frame and the end of the connection; then it is cut.
    public var close = Duration.seconds(5)

    /// The defaults: 30 s, 5 s.
    public init() {}

    /// The defaults with some replaced.
    public init(connect: Duration? = nil, close: Duration? = nil) {
        if let connect { self.connect = connect }
        if let close { self.close = close }
    }
}

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
