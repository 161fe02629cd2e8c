import BackgroundWork
import BackgroundWorkTesting
import TestSupport
import Testing

/// Limits that are set while work runs.
@Suite(.timeLimit(.minutes(5)))
struct LimitChangeTests {
    var fixture: SchedulerFixture
    let begun = Recorder<String>()
    let gate = Latch()

    init() throws {
        var fixture = try SchedulerFixture()
        let (begun, gate) = (begun, gate)
        try fixture.workers.register("W") { _, context in
            begun.add(context.workID)
            await gate.wait()
            return .success()
        }
        self.fixture = fixture
    }

    private func enqueue(_ count: Int, on scheduler: WorkScheduler) async throws {
        try await scheduler.enqueue(
            contentsOf: (0..<count).map {
                TaskSubmission(TaskRequest(workerClassName: "W", queue: "q"), id: "w\($0)")
            })
    }

    @Test("a raised limit lets waiting work begin at once, and none does")
    func raised() async throws {
        let scheduler = try fixture.open { $0.queueLimits = ["q": QueueLimits(maximumConcurrent: 1)] }
        try await scheduler.start()
        try await enqueue(6, on: scheduler)
        #expect(try await comesTrue { begun.values.count == 1 })
        try await scheduler.setLimits(QueueLimits(maximumConcurrent: 3), queue: "q")
        #expect(try await comesTrue { begun.values.count == 3 })
        try await scheduler.setLimits(QueueLimits(), queue: "q")
        #expect(try await comesTrue { begun.values.count == 6 })
        gate.open()
        await scheduler.shutdown()
    }

    @Test("a lowered limit holds for the next ones, and what runs continues")
    func lowered() async throws {
        let scheduler = try fixture.open { $0.maximumConcurrentWork = 4 }
        try await scheduler.start()
        try await enqueue(4, on: scheduler)
        #expect(try await comesTrue { begun.values.count == 4 })
        try await scheduler.setLimit(1, workerClassName: "W")
        try await scheduler.enqueue(TaskRequest(workerClassName: "W", queue: "q"), id: "next")
        let reasons = try #require(try await scheduler.explain(id: "next")).reasons
        #expect(
            reasons.contains { if case .limitReached(_, running: 4, limit: 1) = $0 { true } else { false } },
            "\(reasons)")
        #expect(begun.values.count == 4)
        gate.open()
        #expect(try await comesTrue { begun.values.count == 5 })
        await scheduler.shutdown()
    }

    @Test("limits hold for other schedulers on the directory and across launches, until they are taken back")
    func durable() async throws {
        let first = try fixture.open()
        try await first.setLimits(QueueLimits(maximumConcurrent: 2), queue: "q")
        await first.shutdown()
        let second = try fixture.open { $0.queueLimits = ["q": QueueLimits(maximumConcurrent: 5)] }
        try await second.start()
        try await enqueue(8, on: second)
        #expect(try await comesTrue { begun.values.count == 2 })
        let peer = try fixture.open()
        try await peer.setLimits(nil, queue: "q")
        #expect(try await comesTrue { begun.values.count == 5 })
        gate.open()
        await second.shutdown()
        await peer.shutdown()
    }

    @Test("numbers that are not positive are rejected by name, and nothing changes")
    func refused() async throws {
        let scheduler = try fixture.open()
        await #expect(throws: ConfigurationError.self) {
            try await scheduler.setLimits(QueueLimits(maximumConcurrent: 0), queue: "q")
        }
        await #expect(throws: ConfigurationError.self) {
            try await scheduler.setLimits(QueueLimits(rate: RateLimit(0, per: .seconds(1))), queue: "q")
        }
        await #expect(throws: ConfigurationError.self) { try await scheduler.setLimit(-1, workerClassName: "W") }
        await scheduler.shutdown()
    }
}
