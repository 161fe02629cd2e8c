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
