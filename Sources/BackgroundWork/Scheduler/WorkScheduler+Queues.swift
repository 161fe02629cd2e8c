import BackgroundWorkModel

extension WorkScheduler {
    /// Prevents a queue from starting more work, in all processes and across launches, until ``resume(queue:)``.
    /// Running work continues. Durable when it returns; `false` if it was already paused.
    @discardableResult
    public func pause(queue: String = TaskRequest.defaultQueue) async throws -> Bool {
        let now = WallTime(configuration.clock.now)
        return try await store.write { try $0.pause(queue: queue, now: now) }
    }

    /// Lets a queue start work again. Durable when it returns; `false` if it was not paused.
    @discardableResult
    public func resume(queue: String = TaskRequest.defaultQueue) async throws -> Bool {
        try await store.write { try $0.resume(queue: queue) }
    }

    /// Sets a queue's limits while work runs, for all schedulers on the directory and across launches, in place of
    /// those of the configuration. `nil` restores the configuration's. Running work continues, also above a lower
    /// limit. Durable when it returns.
    ///
    /// Throws ``ConfigurationError`` for numbers that are not positive, and the database's error.
    public func setLimits(_ limits: QueueLimits?, queue: String = TaskRequest.defaultQueue) async throws {
        try Self.check(limits, ofQueue: queue)
        try await store.write { try $0.setLimits(limits, ofQueue: queue) }
    }

    /// Sets how many requests run at the same time under a worker's name, otherwise as ``setLimits(_:queue:)``.
    public func setLimit(_ maximumConcurrent: Int?, workerClassName: String) async throws {
        if let maximumConcurrent, maximumConcurrent < 1 {
            throw ConfigurationError.notPositive(name: "the limit of \(workerClassName)", value: maximumConcurrent)
        }
        try await store.write { try $0.setLimit(maximumConcurrent, ofWorker: workerClassName) }
    }

    static func check(_ limits: QueueLimits?, ofQueue queue: String) throws {
        if let count = limits?.maximumConcurrent, count < 1 {
            throw ConfigurationError.notPositive(name: "queueLimits[\"\(queue)\"].maximumConcurrent", value: count)
        }
        guard let rate = limits?.rate else { return }
        guard rate.count >= 1, rate.period.milliseconds >= 1,
            rate.period.milliseconds <= RequestRules.longestWaitMs
        else { throw ConfigurationError.invalidRate(queue: queue) }
    }

    /// The queues that are paused.
    public func pausedQueues() async throws -> Set<String> { try await store.read { try $0.pausedQueues() } }
}
