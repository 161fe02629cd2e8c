import BackgroundWorkModel

extension WorkScheduler {
    /// Keeps a queue from starting more work, in all processes and across launches, until ``resume(queue:)``. What runs
    /// goes on. Durable when it returns; `false` if it was paused before.
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

    /// The queues that are paused.
    public func pausedQueues() async throws -> Set<String> { try await store.read { try $0.pausedQueues() } }
}
