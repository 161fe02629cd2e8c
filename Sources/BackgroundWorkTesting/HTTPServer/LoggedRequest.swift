/// One request as a local server saw it.
public struct LoggedRequest: Sendable, Hashable, Codable {
    /// A requested range: `bytes=start-end`, the end inclusive or open.
    public struct Range: Sendable, Hashable, Codable {
        /// The first byte; negative for this many bytes at the end, as in `bytes=-500`.
        public var start: Int64
        /// The last byte; `nil` for all following bytes.
        public var end: Int64?
    }

    /// Counts the server's requests from 1.
    public var ordinal: Int
    /// Counts the server's connections from 1. Requests with the same number came over the same connection.
    public var connection: Int
    /// `GET`, `HEAD`, or any other method that was sent.
    public var method: String
    /// The path with its query.
    public var path: String
    /// The headers, names in lower case. Values of one name are joined with commas.
    public var headers: [String: String]
    /// The requested range.
    public var range: Range?
    /// The status of the answer; 0 while there is no answer.
    public var status: Int
    /// How many bytes of the body were written to the socket, without the bytes of the chunked coding.
    public var bodyBytes: Int64
    /// How many bytes of the request's body were received, without the bytes of the chunked coding.
    public var receivedBytes: Int64
    /// Whether the whole answer was sent.
    public var isComplete: Bool
    /// Whether the server is done with the request, whatever its result; its upload is stored by then.
    public var isOver: Bool

    /// A header's value; the name's case does not matter.
    public func header(_ name: String) -> String? { headers[name.lowercased()] }
}
