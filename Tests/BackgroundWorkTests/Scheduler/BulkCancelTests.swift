import BackgroundWork
import BackgroundWorkTesting
import TestSupport
import Testing

/// Cancellation by tag, by worker and of everything.
struct BulkCancelTests {
    var fixture: SchedulerFixture

    init() throws { fixture = try SchedulerFixture() }

    func request(_ worker: String = "W", tags: Set<String> = [], queue: String = "default") -> TaskRequest {
        TaskRequest(workerClassName: worker, tags: tags, queue: queue, metadata: ["user": "Ada"])
    }

    @Test("cancelling by tag, worker and all ends what is unfinished, and says how much that was")
    func cancel() async throws {
        let scheduler = try fixture.open()
        let events = scheduler.eventBus.events
        try await scheduler.enqueue(contentsOf: (0..<4).map { TaskSubmission(request("A", tags: ["t"]), id: "a\($0)") })
        try await scheduler.enqueue(contentsOf: (0..<3).map { TaskSubmission(request("B"), id: "b\($0)") })
        try await scheduler.beginWith(request("C", tags: ["t"])).then(request("D")).enqueue(id: "c")
        #expect(try await scheduler.cancel(id: "a0") == .cancelled(items: 1))
        #expect(try await scheduler.cancel(id: "a0") == .alreadyFinished)
        #expect(try await scheduler.cancel(id: "nobody") == .unknown)
        // The chain's second step is cancelled with its first.
        #expect(try await scheduler.cancel(tag: "t") == .cancelled(items: 5))
        #expect(try await scheduler.cancel(tag: "t") == .unknown)
        #expect(try await scheduler.cancel(workerClassName: "B") == .cancelled(items: 3))
        #expect(try await scheduler.cancelAll() == .unknown)
        try await scheduler.enqueue(contentsOf: (0..<2500).map { TaskSubmission(request(), id: "m\($0)") })
        #expect(try await scheduler.cancelAll() == .cancelled(items: 2500))
        let found = await SchedulerFixture.take(9, from: events)
        #expect(Set(found.map(\.workID)).count == 9)
        #expect(found.allSatisfy { $0.outcome == .cancelled })
        await scheduler.shutdown()
    }

    @Test("a running worker is cancelled with its tag, and its item ends as cancelled")
    mutating func cancelRunning() async throws {
        let started = Latch()
        let reasons = Recorder<StopReason?>()
        let ended = Latch()
        try fixture.workers.register("W") { _, context in
            started.open()
            try? await Task.sleep(for: .seconds(600))
            reasons.add(context.stopReason)
            ended.open()
            return .success()
        }
        let scheduler = try await fixture.start()
        try await scheduler.enqueue(request(tags: ["t"]), id: "w")
        await started.wait()
        #expect(try await scheduler.cancel(tag: "t") == .cancelled(items: 1))
        await ended.wait()
        await scheduler.waitUntilIdle()
        #expect(reasons.values == [.cancelled])
        #expect(try await scheduler.info(id: "w")?.state == .cancelled)
        #expect(try await scheduler.executionHistory().map(\.outcome) == [.cancelled])
        await scheduler.shutdown()
    }
}
