/// The input of a worker that takes none. Whatever JSON a request carries is ignored.
public struct NoInput: Codable, Sendable, Hashable {
    /// Creates the value.
    public init() {}
    /// Reads nothing.
    public init(from decoder: any Decoder) {}
    /// Writes an empty object.
    public func encode(to encoder: any Encoder) throws { _ = encoder.container(keyedBy: Key.self) }
    private enum Key: CodingKey {}
}
