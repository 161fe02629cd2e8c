import BackgroundWork
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// What counts as an attempt, and how time ends one.
struct AttemptTests {
    var fixture: SchedulerFixture

    init() throws { fixture = try SchedulerFixture() }

    @Test("a worker's own wait is respected, and its cap ends the attempts with the reason")
    mutating func retryAfter() async throws {
        let clock = fixture.clock
        let begin = clock.now
        let starts = Recorder<Double>()
        try fixture.workers.register("W") { _, _ in
            starts.add(clock.now.timeIntervalSince(begin))
            return .retry(reason: "busy", after: .seconds(7), attemptCap: 3)
        }
        let scheduler = try await fixture.start()
        let events = scheduler.eventBus.events
        try await scheduler.enqueue(TaskRequest(workerClassName: "W"), id: "w")
        await scheduler.waitUntilIdle()
        let waiting = try #require(try await scheduler.explain(id: "w"))
        #expect(
            waiting.reasons
                == [.betweenAttempts(attempt: 1, until: begin.addingTimeInterval(7), reason: "busy")])
        for _ in 0..<4 {
            clock.advance(by: .seconds(7))
            await scheduler.waitUntilIdle()
        }
        #expect(starts.values == [0, 7, 14])
        let event = await SchedulerFixture.take(1, from: events).first
        #expect(event?.outcome == .failed)
        #expect(event?.message == "busy (gave up after 3 attempts, the most allowed)")
        await scheduler.shutdown()
    }

    @Test("a snooze counts no attempt, however often")
    mutating func snooze() async throws {
        let attempts = Recorder<Int>()
        try fixture.workers.register("W") { _, context in
            attempts.add(context.runAttempt)
            return attempts.values.count < 20 ? .snooze(for: .seconds(10), reason: "not yet") : .success()
        }
        let scheduler = try await fixture.start()
        try await scheduler.enqueue(TaskRequest(workerClassName: "W", retryPolicy: .never), id: "w")
        for _ in 0..<20 {
            await scheduler.waitUntilIdle()
            fixture.clock.advance(by: .seconds(10))
        }
        #expect(attempts.values == Array(repeating: 1, count: 20))
        #expect(try await scheduler.info(id: "w")?.state == .succeeded)
        await scheduler.shutdown()
    }

    @Test("a run that takes too long is stopped, and its attempt counts; the reason tells it from a cancellation")
    mutating func timeout() async throws {
        let reasons = Recorder<StopReason?>()
        try fixture.workers.register("W") { _, context in
            try? await Task.sleep(for: .seconds(600))
            reasons.add(context.stopReason)
            throw CancellationError()
        }
        let scheduler = try await fixture.start()
        let events = scheduler.eventBus.events
        try await scheduler.enqueue(
            TaskRequest(workerClassName: "W", retryPolicy: .never, timeout: .seconds(5)), id: "w")
        await fixture.clock.untilSleeping(atLeast: 1)
        fixture.clock.advance(by: .seconds(5))
        let event = await SchedulerFixture.take(1, from: events).first
        #expect(event?.outcome == .failed)
        #expect(event?.attempt == 1)
        #expect(event?.message?.contains("timed out") == true)
        #expect(reasons.values == [.timeout])
        await scheduler.shutdown()
    }

    @Test("a deadline stops a run permanently, skips what has not begun, and is known to the worker")
    mutating func deadline() async throws {
        let reasons = Recorder<StopReason?>()
        let deadlines = Recorder<Date?>()
        try fixture.workers.register("W") { _, context in
            deadlines.add(context.deadline)
            try? await Task.sleep(for: .seconds(600))
            reasons.add(context.stopReason)
            throw CancellationError()
        }
        let scheduler = try await fixture.start()
        let events = scheduler.eventBus.events
        let deadline = fixture.clock.now.addingTimeInterval(5)
        try await scheduler.enqueue(TaskRequest(workerClassName: "W", deadline: deadline), id: "runs")
        try await scheduler.enqueue(
            TaskRequest(workerClassName: "W", deadline: deadline), id: "waits", trigger: .oneTime(delay: .seconds(9)))
        await fixture.clock.untilSleeping(atLeast: 1)
        fixture.clock.advance(by: .seconds(5))
        await scheduler.waitUntilIdle()
        let found = await SchedulerFixture.take(2, from: events)
        #expect(found.first { $0.workID == "runs" }?.outcome == .failed)
        #expect(found.first { $0.workID == "waits" }?.outcome == .skipped)
        #expect(found.allSatisfy { $0.message?.contains("deadline") == true })
        #expect(reasons.values == [.deadline])
        #expect(deadlines.values == [deadline])
        let late = try await scheduler.enqueue(TaskRequest(workerClassName: "W", deadline: deadline), id: "late")
        #expect(late == .deadlineAlreadyPassed)
        #expect(try await scheduler.info(id: "late") == nil)
        await scheduler.shutdown()
    }

    @Test("a hand-off without an outcome in time is retried, and a late outcome is answered as late")
    mutating func handOffExpires() async throws {
        let tokens = Recorder<HandOffToken>()
        try fixture.workers.register("W") { _, context in
            tokens.add(context.handOffToken)
            return .handedOff(context.handOffToken, expiresAfter: .seconds(60))
        }
        let scheduler = try await fixture.start()
        let events = scheduler.eventBus.events
        let policy = RetryPolicy.linear(initialDelay: .seconds(1), maximumAttempts: 2, jitter: 0)
        try await scheduler.enqueue(TaskRequest(workerClassName: "W", retryPolicy: policy), id: "w")
        await scheduler.waitUntilIdle()
        fixture.clock.advance(by: .seconds(60))
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.info(id: "w")?.state == .pending)
        #expect(try await scheduler.complete(tokens.values[0], with: .success()) == .alreadyCompleted)
        fixture.clock.advance(by: .seconds(1))
        await scheduler.waitUntilIdle()
        #expect(tokens.values.count == 2)
        fixture.clock.advance(by: .seconds(60))
        await scheduler.waitUntilIdle()
        let event = await SchedulerFixture.take(1, from: events).first
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains("the hand-off had no outcome") == true)
        await scheduler.shutdown()
    }

    @Test("a checkpoint is found by the next attempt, in the next process as well, and is gone with the end")
    mutating func checkpoint() async throws {
        let found = Recorder<String?>()
        try fixture.workers.register("W") { _, context in
            found.add(context.checkpoint)
            if context.runAttempt == 3 { return .success() }
            try await context.saveCheckpoint("{\"page\":\(context.runAttempt)}")
            await #expect(throws: CheckpointError.self) { try await context.saveCheckpoint("{") }
            return .retry(reason: "more", after: .seconds(1))
        }
        let first = try await fixture.start()
        try await first.enqueue(TaskRequest(workerClassName: "W"), id: "w")
        await first.waitUntilIdle()
        #expect(try await first.info(id: "w")?.checkpoint == #"{"page":1}"#)
        await first.shutdown()
        let second = try await fixture.start()
        for _ in 0..<2 {
            fixture.clock.advance(by: .seconds(1))
            await second.waitUntilIdle()
        }
        #expect(found.values == [nil, #"{"page":1}"#, #"{"page":2}"#])
        #expect(try await second.info(id: "w")?.checkpoint == nil)
        await second.shutdown()
    }
}
