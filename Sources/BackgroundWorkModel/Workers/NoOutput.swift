/// The output of a worker that gives none, or that gives JSON text of no declared type.
public struct NoOutput: Codable, Sendable, Hashable {
    /// Creates the value.
    public init() {}
    /// Reads nothing.
    public init(from decoder: any Decoder) {}
    /// Writes an empty object.
    public func encode(to encoder: any Encoder) throws { _ = encoder.container(keyedBy: Key.self) }
    private enum Key: CodingKey {}
}
