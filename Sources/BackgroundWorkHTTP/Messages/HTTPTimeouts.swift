/// How long the parts of a request may take. None of them counts while the process is suspended.
public struct HTTPTimeouts: Sendable, Hashable {
    /// Until the connection stands, the name's resolution and TLS included.
    public var connect = Duration.seconds(30)
    /// Between two bytes, in either direction.
    public var request = Duration.seconds(60)
    /// From the call to the last byte of the response, all waits included.
    public var resource = Duration.seconds(7 * 86_400)

    /// The defaults: 30 s, 60 s, 7 days.
    public init() {}

    /// The defaults with some replaced.
    public init(connect: Duration? = nil, request: Duration? = nil, resource: Duration? = nil) {
        if let connect { self.connect = connect }
        if let request { self.request = request }
        if let resource { self.resource = resource }
    }
}
