/// One request as a local server saw it.
public struct LoggedRequest: Sendable, Hashable, Codable {
    /// A range as asked for: `bytes=start-end`, the end inclusive or open.
    public struct Range: Sendable, Hashable, Codable {
        /// The first byte.
        public var start: Int64
        /// The last byte; `nil` for all that follow.
        public var end: Int64?
    }

    /// Counts the server's requests from 1.
    public var ordinal: Int
    /// `GET` or `HEAD`, or what else was sent.
    public var method: String
    /// The path with its query.
    public var path: String
    /// The headers, names in lower case.
    public var headers: [String: String]
    /// The range asked for.
    public var range: Range?
    /// The status answered; 0 while there is no answer.
    public var status: Int
    /// How many bytes of the body were given to the socket.
    public var bodyBytes: Int64
    /// Whether the whole answer was sent.
    public var isComplete: Bool

    /// A header's value; the name's case does not matter.
    public func header(_ name: String) -> String? { headers[name.lowercased()] }
}
