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
