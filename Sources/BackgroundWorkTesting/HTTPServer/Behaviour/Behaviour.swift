/// How a local server treats the requests for a path. The default is to be correct and fast.
///
/// Each factory sets one thing. The settings can be combined:
///
/// ```swift
/// .with { $0.isChunked = true; $0.closesAfter = 1000; $0.resets = true }
/// ```
public struct Behaviour: Sendable, Hashable {
    // MARK: - The kind of answer

    /// Answer with this status and a short text instead of the resource.
    public var status: Int?
    /// The body of an answer that replaces the resource; the status is 200 then, unless ``status`` says another.
    public var body: [UInt8]?
    /// Answer with a redirect to this URL, which may be relative.
    public var redirectTarget: String?
    /// Accept the request and never answer.
    public var isSilent = false
    /// Serve this resource at the path, from this request on.
    public var replacement: Resource?
    /// Process the request completely, and end the connection instead of answering.
    public var losesAnswer = false

    // MARK: - The head of the answer

    /// Sent unchanged as the status line.
    public var statusLine: String?
    /// Header fields that are sent, replacing fields of the same name.
    public var headers: [HeaderField] = []
    /// Names of header fields that are not sent; their case does not matter.
    public var hiddenHeaders: Set<String> = []
    /// Announce this many bytes more than there are, or fewer if it is negative; close after the last one.
    public var promisedExtraBytes: Int64 = 0
    /// Send no Content-Length; the end of the connection is the end of the body.
    public var hidesLength = false
    /// Send the body in the chunked transfer coding, without a Content-Length.
    public var isChunked = false
    /// Compress the body with gzip, whatever was requested. Ranges are ranges of the compressed bytes.
    public var isCompressed = false
    /// Treat every request as one for the whole resource.
    public var ignoresRanges = false
    /// The status with which every request for a range is answered.
    public var rangeStatus: Int?
    /// What the answer to a range states falsely about it. The bytes sent are those that were requested.
    public var contentRange: ContentRangeLie?

    // MARK: - The body of the answer

    /// The speed of sent and received bodies, in bytes a second.
    public var bytesPerSecond: Int?
    /// Send the body in pieces of this many bytes.
    public var pieceBytes: Int?
    /// Send this many bytes of the body, then wait for ``LocalHTTPServer/release(_:upTo:)``.
    public var holdsAfter: Int64?
    /// Close the connection after this many bytes of the body.
    public var closesAfter: Int64?
    /// End connections with RST instead of FIN, where this behaviour ends them.
    public var resets = false
    /// Close the connection after the whole answer, without announcing it.
    public var closesAfterAnswer = false

    /// Whether the end of the connection marks the body's end.
    var isEndedByClose: Bool { hidesLength && !isChunked }

    // MARK: - The body of the request

    /// Receive this many bytes of the request's body, then wait for ``LocalHTTPServer/release(_:upTo:)``.
    public var holdsUploadAfter: Int64?
    /// Receive this many bytes of the request's body, then answer with ``status`` if it is set, and end the
    /// connection.
    public var receivesAtMost: Int64?
    /// Do not send `100 Continue` to clients that wait for it.
    public var ignoresExpectation = false

    /// Creates the default: correct and fast.
    public init() {}

    /// Correct and fast.
    public static let correct = Behaviour()

    /// Correct and fast except for what `change` sets.
    public static func with(_ change: (inout Behaviour) -> Void) -> Behaviour {
        var behaviour = Behaviour()
        change(&behaviour)
        return behaviour
    }
}

/// A false statement in a `Content-Range`.
public enum ContentRangeLie: Sendable, Hashable {
    /// A first byte that is this many bytes later than the one sent first, or earlier if negative.
    case start(shiftedBy: Int64)
    /// Another size of the whole resource.
    case total(Int64)
    /// The header is missing, though the status is 206.
    case missing
}

/// A header field of an answer, sent unchanged.
public struct HeaderField: Sendable, Hashable {
    /// The name; its case is kept.
    public var name: String
    /// The value.
    public var value: String

    /// Creates a header field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
