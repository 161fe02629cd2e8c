import BackgroundWork
import BackgroundWorkTesting
import Testing

/// The events that are kept, as a history.
struct ExecutionHistoryTests {
    var fixture: SchedulerFixture

    private let request = TaskRequest(workerClassName: "W", metadata: ["user": "Ada"])

    init() throws { fixture = try SchedulerFixture() }

    @Test("the history keeps what the limits of count and age say")
    mutating func history() async throws {
        try fixture.workers.register("W") { _, _ in .success() }
        let scheduler = try await fixture.start { $0.retainedEventAge = .seconds(3600) }
        for index in 0..<3 {
            try await scheduler.enqueue(request, id: "w\(index)")
            await scheduler.waitUntilIdle()
            fixture.clock.advance(by: .seconds(1500))
        }
        let newest = try await scheduler.executionHistory(limit: 2)
        #expect(newest.map(\.workID) == ["w2", "w1"])
        #expect(newest.first?.metadata == ["user": "Ada"])
        #expect(newest.first?.startedAt == newest.first?.finishedAt)
        #expect(try await scheduler.executionHistory(before: newest.last?.sequence).map(\.workID) == ["w0"])
        await scheduler.shutdown()
        let next = try await fixture.start { $0.retainedEventAge = .seconds(3600) }
        #expect(try await next.executionHistory().map(\.workID) == ["w2", "w1"])
        #expect(try await next.info(id: "w0") == nil)
        #expect(try await next.info(id: "w1") != nil)
        await next.shutdown()
    }
}
