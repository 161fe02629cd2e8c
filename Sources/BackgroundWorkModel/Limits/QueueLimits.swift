/// Concurrency and rate limits of one queue. They apply across all schedulers on the directory with the same
/// configuration.
public struct QueueLimits: Sendable, Hashable, Codable {
    /// How many of its requests run at the same time; `nil`: as many as the scheduler runs.
    public var maximumConcurrent: Int?
    /// How many of its requests start within a period of time; `nil`: any number.
    public var rate: RateLimit?

    /// Creates limits.
    public init(maximumConcurrent: Int? = nil, rate: RateLimit? = nil) {
        self.maximumConcurrent = maximumConcurrent
        self.rate = rate
    }
}

/// At most `count` starts within any period of that length.
public struct RateLimit: Sendable, Hashable, Codable {
    /// How many may start.
    public var count: Int
    /// The length of the period.
    public var period: Duration

    /// Creates a limit. It is checked when the scheduler is created.
    public init(_ count: Int, per period: Duration) {
        self.count = count
        self.period = period
    }
}

/// The limits in addition to the number of slots.
package struct WorkLimits: Sendable, Hashable {
    /// By the worker's name as requested.
    package var workers: [String: Int]
    package var queues: [String: QueueLimits]
    /// The only workers whose work may run, by name as requested; `nil`: all.
    package var onlyWorkers: Set<String>?

    package init(
        workers: [String: Int] = [:], queues: [String: QueueLimits] = [:], onlyWorkers: Set<String>? = nil
    ) {
        self.onlyWorkers = onlyWorkers
        self.workers = workers
        self.queues = queues
    }

    /// Whether running items have to be counted at all.
    package var countRunning: Bool { !workers.isEmpty || queues.values.contains { $0.maximumConcurrent != nil } }
}
