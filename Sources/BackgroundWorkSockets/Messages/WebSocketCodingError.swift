/// An envelope of a known type has a payload that is not of that type.
public struct WebSocketCodingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The envelope's type.
    public let messageType: String
    /// Which field, and what is wrong with it; nothing of its value.
    public let problem: String

    /// What happened, and what to do.
    public var description: String {
        "A message of the type \"\(messageType)\" cannot be decoded: \(problem)\(problem.hasSuffix(".") ? "" : ".") "
            + "Compare the type with what the server sends."
    }
}
