/// How much of one queue may run. Limits hold across all schedulers on the directory that are configured alike.
public struct QueueLimits: Sendable, Hashable, Codable {
    /// How many of its requests run at the same time; `nil`: as many as the scheduler runs.
    public var maximumConcurrent: Int?
    /// How many of its requests start within a stretch of time; `nil`: any number.
    public var rate: RateLimit?

    /// Creates limits.
    public init(maximumConcurrent: Int? = nil, rate: RateLimit? = nil) {
        self.maximumConcurrent = maximumConcurrent
        self.rate = rate
    }
}
