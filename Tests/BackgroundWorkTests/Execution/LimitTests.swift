import BackgroundWork
import BackgroundWorkTesting
import Foundation
import Synchronization
import TestSupport
import Testing

/// Priorities, limits, rates and pauses.
struct LimitTests {
    var fixture: SchedulerFixture

    init() throws { fixture = try SchedulerFixture() }

    /// Counts how many run at once, by label.
    final class Gauge: Sendable {
        private let state = Mutex<[String: (now: Int, most: Int)]>([:])
        func enter(_ label: String) {
            state.withLock {
                let now = ($0[label]?.now ?? 0) + 1
                $0[label] = (now, max($0[label]?.most ?? 0, now))
            }
        }
        func leave(_ label: String) { state.withLock { $0[label]?.now -= 1 } }
        func most(_ label: String) -> Int { state.withLock { $0[label]?.most ?? 0 } }
    }

    @Test("limits of workers and queues hold, and what they hold back runs when there is room")
    mutating func limits() async throws {
        let gauge = Gauge()
        for name in ["A", "B"] {
            try fixture.workers.register(name) { input, _ in
                let labels = [name, input ?? ""]
                labels.forEach(gauge.enter)
                for _ in 0..<5 { await Task.yield() }
                labels.forEach(gauge.leave)
                return .success()
            }
        }
        let scheduler = try await fixture.start {
            $0.workerLimits = ["A": 2]
            $0.queueLimits = ["q": QueueLimits(maximumConcurrent: 1)]
        }
        let submissions = (0..<120).map { index in
            let queue = index % 3 == 0 ? "q" : TaskRequest.defaultQueue
            return TaskSubmission(
                TaskRequest(workerClassName: index % 2 == 0 ? "A" : "B", inputJSON: "\"\(queue)\"", queue: queue))
        }
        try await scheduler.enqueue(contentsOf: submissions)
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.infos(matching: WorkQuery(states: [.succeeded])).count == 120)
        #expect(gauge.most("A") == 2)
        #expect(gauge.most("\"q\"") == 1)
        #expect(gauge.most("B") > 2)
        await scheduler.shutdown()
    }

    @Test("no more start within any stretch of time than the rate allows")
    mutating func rate() async throws {
        let clock = fixture.clock
        let starts = Recorder<Double>()
        let begin = clock.now
        try fixture.workers.register("W") { _, _ in
            starts.add(clock.now.timeIntervalSince(begin))
            return .success()
        }
        let limits = ["api": QueueLimits(rate: RateLimit(3, per: .seconds(60)))]
        let scheduler = try await fixture.start { $0.queueLimits = limits }
        try await scheduler.enqueue(
            contentsOf: (0..<8).map { TaskSubmission(TaskRequest(workerClassName: "W", queue: "api"), id: "w\($0)") })
        await scheduler.waitUntilIdle()
        #expect(starts.values == [0, 0, 0])
        let explanation = try #require(try await scheduler.explain(id: "w7"))
        #expect(explanation.reasons == [.rateLimitReached(queue: "api", until: begin.addingTimeInterval(60))])
        await scheduler.shutdown()
        // The starts are remembered across launches.
        let next = try await fixture.start { $0.queueLimits = limits }
        await next.waitUntilIdle()
        #expect(starts.values.count == 3)
        for _ in 0..<13 {
            clock.advance(by: .seconds(10))
            await next.waitUntilIdle()
        }
        #expect(starts.values == [0, 0, 0, 60, 60, 60, 120, 120])
        await next.shutdown()
    }

    @Test("a paused queue starts nothing, also after a launch, until it is resumed")
    mutating func pause() async throws {
        try fixture.workers.register("W") { _, _ in .success() }
        let first = try await fixture.start()
        #expect(try await first.pause(queue: "q"))
        #expect(try await !first.pause(queue: "q"))
        try await first.enqueue(TaskRequest(workerClassName: "W", queue: "q"), id: "w")
        try await first.enqueue(TaskRequest(workerClassName: "W"), id: "other")
        await first.waitUntilIdle()
        #expect(try await first.info(id: "other")?.state == .succeeded)
        await first.shutdown()
        let second = try await fixture.start()
        await second.waitUntilIdle()
        #expect(try await second.explain(id: "w")?.reasons == [.queuePaused("q")])
        #expect(try await second.pausedQueues() == ["q"])
        #expect(try await second.resume(queue: "q"))
        #expect(try await !second.resume(queue: "q"))
        await second.waitUntilIdle()
        #expect(try await second.info(id: "w")?.state == .succeeded)
        await second.shutdown()
    }

    @Test("urgent work goes first, but one in eight is the longest due, whatever its priority")
    mutating func starvation() async throws {
        let order = Recorder<String>()
        try fixture.workers.register("W") { _, context in
            order.add(context.workID)
            return .success()
        }
        let scheduler = try fixture.open {
            $0.clock = fixture.clock
            $0.maximumConcurrentWork = 1
        }
        try await scheduler.enqueue(TaskRequest(workerClassName: "W", priority: .low), id: "low")
        fixture.clock.advance(by: .seconds(1))
        try await scheduler.enqueue(
            contentsOf: (0..<40).map {
                TaskSubmission(TaskRequest(workerClassName: "W", priority: .high), id: "high\($0)")
            })
        try await scheduler.start()
        await scheduler.waitUntilIdle()
        let place = try #require(order.values.firstIndex(of: "low"))
        #expect((1..<8).contains(place))
        #expect(order.values.first == "high0")
        await scheduler.shutdown()
    }
}
