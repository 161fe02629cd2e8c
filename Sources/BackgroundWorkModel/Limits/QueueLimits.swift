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

/// The limits beside the number of slots.
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

    /// Whether what runs has to be counted at all.
    package var countRunning: Bool { !workers.isEmpty || queues.values.contains { $0.maximumConcurrent != nil } }
}
