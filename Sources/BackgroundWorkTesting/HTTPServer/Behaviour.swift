/// How a local server treats the requests for a path. The default is to be correct and fast.
public struct Behaviour: Sendable, Hashable {
    /// The body's pace in bytes a second.
    public var bytesPerSecond: Int?
    /// Answer with this status and a short text instead of the resource.
    public var status: Int?
    /// Answer with a redirect to this URL.
    public var redirectTarget: String?
    /// Accept the request and never answer.
    public var isSilent = false
    /// Close the connection after so many bytes of the body.
    public var closesAfter: Int64?
    /// Promise so many bytes more than there are, and close after the last one.
    public var promisedExtraBytes: Int64 = 0
    /// Send no Content-Length; the end of the connection is the end of the body.
    public var hidesLength = false
    /// Treat every request as one for the whole resource.
    public var ignoresRanges = false
    /// Send so many bytes of the body, then wait for `release(_:)`.
    public var holdsAfter: Int64?

    /// Correct and fast.
    public init() {}

    /// Correct and fast.
    public static let correct = Behaviour()
    /// Sends the body at this pace.
    public static func throttle(bytesPerSecond: Int) -> Behaviour { with { $0.bytesPerSecond = bytesPerSecond } }
    /// Answers with a status and a short text.
    public static func status(_ code: Int) -> Behaviour { with { $0.status = code } }
    /// Redirects with 302.
    public static func redirect(to url: String) -> Behaviour { with { $0.redirectTarget = url } }
    /// Never answers.
    public static let silence = with { $0.isSilent = true }
    /// Closes in the middle of the body.
    public static func closeAfter(bytes: Int64) -> Behaviour { with { $0.closesAfter = bytes } }
    /// Promises more than it sends.
    public static func promise(extraBytes: Int64) -> Behaviour { with { $0.promisedExtraBytes = extraBytes } }
    /// Sends no length.
    public static let withoutLength = with { $0.hidesLength = true }
    /// Answers ranges with 200 and everything.
    public static let ignoreRanges = with { $0.ignoresRanges = true }
    /// Stops in the middle of the body until released.
    public static func holdAfter(bytes: Int64) -> Behaviour { with { $0.holdsAfter = bytes } }

    private static func with(_ change: (inout Behaviour) -> Void) -> Behaviour {
        var behaviour = Behaviour()
        change(&behaviour)
        return behaviour
    }
}
