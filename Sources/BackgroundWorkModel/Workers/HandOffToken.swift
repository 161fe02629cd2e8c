/// Names one hand-off: work whose outcome comes later, maybe in another process.
///
/// Keep `rawValue` with whatever will bring the outcome, and pass it to `WorkScheduler.complete(_:with:)`.
public struct HandOffToken: Sendable, Hashable, RawRepresentable, Codable, CustomStringConvertible {
    /// `workID#generation`.
    public let rawValue: String

    /// Takes a token as it was stored.
    public init(rawValue: String) { self.rawValue = rawValue }

    package init(_ key: TransferKey) { rawValue = key.description }

    package var key: TransferKey? { TransferKey(rawValue) }

    /// The raw value.
    public var description: String { rawValue }
}
