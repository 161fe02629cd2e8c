import BackgroundWorkModel

/// What `BackgroundWorkTesting` offers to users' tests.
extension WorkScheduler {
    package func untilIdle() async { await runner.untilIdle() }

    /// Returns when the daemon has been told what is due.
    package func tellWakes() async { await wakes?.tellNow() }

    package func makeDue(id: String) async throws -> Bool {
        let now = WallTime(configuration.clock.now)
        return try await store.write { try $0.makeDue(id: id, now: now) }
    }
}
