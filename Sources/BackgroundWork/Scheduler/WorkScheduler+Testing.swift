import BackgroundWorkModel

/// What `BackgroundWorkTesting` offers to users' tests.
extension WorkScheduler {
    package func untilIdle() async { await runner.untilIdle() }

    package func makeDue(id: String) async throws -> Bool {
        let now = WallTime(configuration.clock.now)
        return try await store.write { try $0.makeDue(id: id, now: now) }
    }
}
