/// How far a request is.
public struct HTTPProgress: Sendable, Hashable {
    /// Bytes of the request's body that were sent.
    public let sent: Int64
    /// The length of that body; `nil` when it is not known.
    public let toSend: Int64?
    /// Bytes of the response's body that were received, after decompression.
    public let received: Int64
    /// The length of that body as the server has announced it; `nil` when it has not, or the body is compressed.
    public let toReceive: Int64?
}
