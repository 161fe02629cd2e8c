/// At most so many starts within any stretch of time of that length.
public struct RateLimit: Sendable, Hashable, Codable {
    /// How many may start.
    public var count: Int
    /// Within how long.
    public var period: Duration

    /// Creates a limit. It is checked when the scheduler is created.
    public init(_ count: Int, per period: Duration) {
        self.count = count
        self.period = period
    }
}
