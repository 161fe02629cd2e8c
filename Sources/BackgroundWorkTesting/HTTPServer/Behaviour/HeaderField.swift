/// A header field of an answer, sent as it is written.
public struct HeaderField: Sendable, Hashable {
    /// The name; its case is kept.
    public var name: String
    /// The value.
    public var value: String

    /// A field of an answer.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
