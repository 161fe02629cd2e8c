/// How many transfers run at the same time, and how fast all of them together. The last host to connect decides.
public struct TransferLimits: Sendable, Hashable, Codable {
    /// In all, at least 1.
    public var overall = 64
    /// To one host and port, at least 1.
    public var perHost = 6
    /// Of one session, at least 1.
    public var perSession = 64
    /// The most bytes of bodies a second, shared by the running transfers; `nil` for no limit.
    public var bytesPerSecond: Int64?

    /// The defaults.
    public init() {}
}
