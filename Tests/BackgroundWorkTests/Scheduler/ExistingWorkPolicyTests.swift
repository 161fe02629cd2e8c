import BackgroundWork
import Foundation
import TestSupport
import Testing

/// What happens to unfinished work when other work is enqueued under its id.
struct ExistingWorkPolicyTests {
    var fixture: SchedulerFixture
    /// The inputs of the runs, in order.
    let runs = Recorder<String>()

    init() throws {
        fixture = try SchedulerFixture()
        let runs = runs
        try fixture.workers.register("W") { input, _ in
            runs.add(input ?? "none")
            return input == "\"fails\"" ? .failure(message: "as told") : .success(outputJSON: input)
        }
    }

    private func request(_ input: String) -> TaskRequest {
        TaskRequest(workerClassName: "W", inputJSON: "\"\(input)\"")
    }

    let later = TaskTrigger.oneTime(delay: .seconds(60))

    private func outcomes(_ scheduler: WorkScheduler) async throws -> [WorkOutcome] {
        try await scheduler.executionHistory().reversed().map(\.outcome)
    }

    @Test("keep leaves what is there, and takes the new work once that has finished")
    func keep() async throws {
        let scheduler = try await fixture.start()
        #expect(try await scheduler.enqueue(request("1"), id: "a", trigger: later, policy: .keep) == .accepted(id: "a"))
        #expect(try await scheduler.enqueue(request("2"), id: "a", policy: .keep) == .keptExisting(id: "a"))
        await scheduler.waitUntilIdle()
        #expect(runs.values.isEmpty)
        fixture.clock.advance(by: .seconds(60))
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.enqueue(request("3"), id: "a", policy: .keep) == .accepted(id: "a"))
        await scheduler.waitUntilIdle()
        #expect(runs.values == ["\"1\"", "\"3\""])
        await scheduler.shutdown()
    }

    @Test("replace cancels what is there, with an event, and what waited for it")
    func replace() async throws {
        let scheduler = try await fixture.start()
        try await scheduler.enqueue(request("1"), id: "a", trigger: later)
        try await scheduler.enqueue(request("2"), id: "a", policy: .append)
        try await scheduler.enqueue(request("3"), id: "a", policy: .replace)
        await scheduler.waitUntilIdle()
        fixture.clock.advance(by: .seconds(60))
        await scheduler.waitUntilIdle()
        #expect(runs.values == ["\"3\""])
        #expect(try await outcomes(scheduler) == [.cancelled, .cancelled, .succeeded])
        #expect(try await scheduler.appendedCount(id: "a") == 0)
        await scheduler.shutdown()
    }

    @Test("appended work runs in order, each after the previous one has ended in any way")
    func append() async throws {
        let scheduler = try await fixture.start()
        try await scheduler.enqueue(request("fails"), id: "a", trigger: later)
        for input in ["2", "fails", "4"] {
            #expect(try await scheduler.enqueue(request(input), id: "a", policy: .append) == .accepted(id: "a"))
        }
        #expect(try await scheduler.appendedCount(id: "a") == 3)
        await scheduler.waitUntilIdle()
        #expect(runs.values.isEmpty)
        fixture.clock.advance(by: .seconds(60))
        await scheduler.waitUntilIdle()
        #expect(runs.values == ["\"fails\"", "\"2\"", "\"fails\"", "\"4\""])
        #expect(try await outcomes(scheduler) == [.failed, .succeeded, .failed, .succeeded])
        #expect(try await scheduler.appendedCount(id: "a") == 0)
        await scheduler.shutdown()
    }

    @Test("what is appended to nothing, or to what has finished, is simply enqueued")
    func appendToNothing() async throws {
        let scheduler = try await fixture.start()
        for round in 1...2 {
            try await scheduler.enqueue(request("\(round)"), id: "a", policy: .append)
            #expect(try await scheduler.appendedCount(id: "a") == 0)
            await scheduler.waitUntilIdle()
            try await scheduler.beginWith(request("c\(round)")).enqueue(id: "c", policy: .append)
            await scheduler.waitUntilIdle()
        }
        #expect(runs.values == ["\"1\"", "\"c1\"", "\"2\"", "\"c2\""])
        await scheduler.shutdown()
    }

    @Test("a cancelled id takes with it what was appended, each with its event")
    func cancelAppended() async throws {
        let scheduler = try await fixture.start()
        try await scheduler.enqueue(request("1"), id: "a", trigger: later)
        var described = request("2")
        described.metadata = ["title": "second"]
        try await scheduler.enqueue(described, id: "a", policy: .append)
        try await scheduler.enqueue(request("3"), id: "a", policy: .append)
        #expect(try await scheduler.cancel(id: "a") == .cancelled(items: 3))
        fixture.clock.advance(by: .seconds(60))
        await scheduler.waitUntilIdle()
        #expect(runs.values.isEmpty)
        let history = try await scheduler.executionHistory()
        #expect(history.map(\.outcome) == [.cancelled, .cancelled, .cancelled])
        #expect(history.contains { $0.metadata == ["title": "second"] })
        try await scheduler.enqueue(request("4"), id: "a")
        await scheduler.waitUntilIdle()
        #expect(runs.values == ["\"4\""])
        await scheduler.shutdown()
    }

    @Test("a chain is followed by an appended one once all of it has ended, however it ended")
    func appendChain() async throws {
        let scheduler = try await fixture.start()
        var delayed = request("slow")
        delayed.delay = .seconds(60)
        try await scheduler.beginWith([request("fails"), delayed]).then(request("never")).enqueue(id: "c")
        try await scheduler.beginWith(request("2")).then([request("3"), request("3")])
            .enqueue(id: "c", policy: .append)
        try await scheduler.beginWith(request("4")).enqueue(id: "c", policy: .append)
        await scheduler.waitUntilIdle()
        #expect(runs.values == ["\"fails\""])
        #expect(try await scheduler.appendedCount(id: "c") == 2)
        fixture.clock.advance(by: .seconds(60))
        await scheduler.waitUntilIdle()
        #expect(runs.values == ["\"fails\"", "\"slow\"", "\"2\"", "\"3\"", "\"3\"", "\"4\""])
        #expect(try await scheduler.infos(chainID: "c").map(\.id) == ["c/0.0"])
        await scheduler.shutdown()
    }

    @Test("a cancelled chain takes with it the chains that were appended, member by member")
    func cancelAppendedChain() async throws {
        let scheduler = try await fixture.start()
        var delayed = request("slow")
        delayed.delay = .seconds(60)
        try await scheduler.beginWith(delayed).then(request("1")).enqueue(id: "c")
        try await scheduler.beginWith(request("2")).then([request("3"), request("3")])
            .enqueue(id: "c", policy: .append)
        #expect(try await scheduler.cancel(id: "c") == .cancelled(items: 5))
        let history = try await scheduler.executionHistory()
        #expect(history.count == 5)
        #expect(
            history.map(\.workID).sorted() == ["c/0.0", "c/0.0", "c/1.0", "c/1.0", "c/1.1"])
        fixture.clock.advance(by: .seconds(60))
        await scheduler.waitUntilIdle()
        #expect(runs.values.isEmpty)
        await scheduler.shutdown()
    }

    @Test("nothing can be appended to recurring work")
    func appendToRecurring() async throws {
        let scheduler = try fixture.open { $0.clock = fixture.clock }
        let triggers: [TaskTrigger] = [.periodic(interval: .seconds(900)), .cron("@daily"), .fileChanged(path: "/tmp")]
        for trigger in triggers {
            try await scheduler.enqueue(request("1"), id: "p", trigger: trigger)
            let error = await #expect(throws: EnqueueError.cannotAppend(id: "p")) {
                try await scheduler.enqueue(request("2"), id: "p", policy: .append)
            }
            #expect(error?.description.contains("Cancel or replace it") == true)
            #expect(try await scheduler.appendedCount(id: "p") == 0)
        }
        await scheduler.shutdown()
    }

    @Test("appended work survives its process")
    func appendSurvives() async throws {
        let first = try await fixture.start()
        try await first.enqueue(request("1"), id: "a", trigger: later)
        try await first.enqueue(request("2"), id: "a", trigger: later, policy: .append)
        await first.shutdown()
        let second = try await fixture.start()
        #expect(try await second.appendedCount(id: "a") == 1)
        for count in 1...2 {
            fixture.clock.advance(by: .seconds(60))
            await second.waitUntilIdle()
            #expect(runs.values.count == count)
        }
        #expect(runs.values == ["\"1\"", "\"2\""])
        await second.shutdown()
    }

    @Test("updated work keeps its place and its time, and takes the new input, tags and queue")
    func update() async throws {
        let scheduler = try await fixture.start { $0.maximumConcurrentWork = 1 }
        try await scheduler.enqueue(request("1"), id: "a", trigger: later)
        try await scheduler.enqueue(request("2"), id: "b", trigger: later)
        var changed = request("new")
        changed.tags = ["new"]
        changed.queue = "other"
        let due = try await scheduler.info(id: "a")?.due
        fixture.clock.advance(by: .seconds(10))
        #expect(try await scheduler.enqueue(changed, id: "a", trigger: later, policy: .update) == .accepted(id: "a"))
        let info = try #require(try await scheduler.info(id: "a"))
        #expect(info.due == due)
        #expect(info.tags == ["new"] && info.queue == "other")
        #expect(try await scheduler.infos(matching: WorkQuery(tags: ["new"], queues: ["other"])).map(\.id) == ["a"])
        fixture.clock.advance(by: .seconds(50))
        await scheduler.waitUntilIdle()
        #expect(runs.values == ["\"new\"", "\"2\""])
        #expect(try await outcomes(scheduler) == [.succeeded, .succeeded])
        await scheduler.shutdown()
    }

    @Test("the tags and the queue that an update takes away are gone")
    func updateRemoves() async throws {
        let scheduler = try fixture.open { $0.clock = fixture.clock }
        var labelled = request("1")
        labelled.tags = ["old", "both"]
        labelled.queue = "old"
        labelled.metadata = ["k": "old"]
        try await scheduler.enqueue(labelled, id: "a")
        labelled.tags = ["both"]
        labelled.queue = TaskRequest.defaultQueue
        labelled.metadata = [:]
        try await scheduler.enqueue(labelled, id: "a", policy: .update)
        #expect(try await scheduler.cancel(tag: "old") == .unknown)
        #expect(try await scheduler.infos(matching: WorkQuery(queues: ["old"])).isEmpty)
        #expect(try await scheduler.info(id: "a")?.metadata == [:])
        try await scheduler.enqueue(request("1"), id: "a", policy: .update)
        #expect(try await scheduler.cancel(tag: "both") == .unknown)
        await scheduler.shutdown()
    }

    @Test("updated periodic work keeps its planned time, and takes the new input at the next occurrence")
    func updatePeriodic() async throws {
        let scheduler = try await fixture.start()
        let trigger = TaskTrigger.periodic(interval: .seconds(900))
        try await scheduler.enqueue(request("1"), id: "p", trigger: trigger)
        await scheduler.waitUntilIdle()
        let due = try await scheduler.info(id: "p")?.due
        fixture.clock.advance(by: .seconds(450))
        try await scheduler.enqueue(request("2"), id: "p", trigger: trigger, policy: .update)
        #expect(try await scheduler.info(id: "p")?.due == due)
        #expect(try await scheduler.info(id: "p")?.occurrence == 1)
        await scheduler.waitUntilIdle()
        #expect(runs.values == ["\"1\""])
        fixture.clock.advance(by: .seconds(450))
        await scheduler.waitUntilIdle()
        #expect(runs.values == ["\"1\"", "\"2\""])
        await scheduler.shutdown()
    }

    @Test("an update with another trigger plans anew")
    func updateTrigger() async throws {
        let scheduler = try fixture.open { $0.clock = fixture.clock }
        let now = fixture.clock.now
        try await scheduler.enqueue(request("1"), id: "a", trigger: .periodic(interval: .seconds(900)))
        try await scheduler.enqueue(
            request("2"), id: "a", trigger: .exact(now.addingTimeInterval(500)), policy: .update)
        #expect(try await scheduler.info(id: "a")?.due == now.addingTimeInterval(500))
        let window = TaskTrigger.windowed(
            earliest: now.addingTimeInterval(20), latest: now.addingTimeInterval(40))
        try await scheduler.enqueue(request("2"), id: "a", trigger: window, policy: .update)
        #expect(try await scheduler.info(id: "a")?.trigger == window)
        try await scheduler.enqueue(request("3"), id: "a", trigger: .oneTime(delay: .seconds(70)), policy: .update)
        #expect(try await scheduler.info(id: "a")?.due == now.addingTimeInterval(70))
        #expect(try await scheduler.info(id: "a")?.trigger == nil)
        // The window's end no longer applies.
        try await scheduler.start()
        for _ in 0..<7 {
            fixture.clock.advance(by: .seconds(10))
            await scheduler.waitUntilIdle()
        }
        #expect(try await outcomes(scheduler) == [.succeeded])
        #expect(runs.values == ["\"3\""])
        await scheduler.shutdown()
    }

    @Test("running work takes an update at its next attempt")
    mutating func updateRunning() async throws {
        let gate = Latch()
        let started = Latch()
        let inputs = Recorder<String?>()
        try fixture.workers.register("Retries") { input, _ in
            inputs.add(input)
            if inputs.values.count > 1 { return .success() }
            started.open()
            await gate.wait()
            return .retry(reason: "again")
        }
        let scheduler = try await fixture.start()
        let policy = RetryPolicy.linear(initialDelay: .seconds(10), jitter: 0)
        var request = TaskRequest(workerClassName: "Retries", inputJSON: "1", retryPolicy: policy)
        try await scheduler.enqueue(request, id: "a")
        await started.wait()
        request.inputJSON = "2"
        request.retryPolicy = .linear(initialDelay: .seconds(20), jitter: 0)
        #expect(try await scheduler.enqueue(request, id: "a", policy: .update) == .accepted(id: "a"))
        #expect(try await scheduler.info(id: "a")?.state == .running)
        gate.open()
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.info(id: "a")?.due == fixture.clock.now.addingTimeInterval(20))
        fixture.clock.advance(by: .seconds(20))
        await scheduler.waitUntilIdle()
        #expect(inputs.values == ["1", "2"])
        #expect(try await scheduler.info(id: "a")?.runAttempt == 2)
        #expect(try await outcomes(scheduler) == [.succeeded])
        await scheduler.shutdown()
    }

    @Test("a new plan for running work begins with its own first occurrence")
    mutating func updateTriggerOfRunning() async throws {
        // 2027-01-15 08:00:00 UTC.
        let plans: [(trigger: TaskTrigger, first: Double)] = [
            (.cron("30 8 * * *"), 1800), (.periodic(interval: .seconds(1000), initialDelay: .seconds(300)), 300),
            (.periodic(interval: .seconds(1000), initialDelay: .seconds(2500)), 2500),
            (.periodic(interval: .seconds(1000), runImmediately: false), 1000),
            (.periodic(interval: .seconds(1000)), 1000),
        ]
        let gates = plans.map { _ in (started: Latch(), gate: Latch()) }
        try fixture.workers.register("Held") { input, _ in
            let (started, gate) = gates[input.flatMap { Int($0) } ?? 0]
            started.open()
            await gate.wait()
            return .success()
        }
        let scheduler = try await fixture.start()
        let now = fixture.clock.now
        for (index, plan) in plans.enumerated() {
            let request = TaskRequest(workerClassName: "Held", inputJSON: "\(index)")
            try await scheduler.enqueue(request, id: "\(index)")
            await gates[index].started.wait()
            try await scheduler.enqueue(request, id: "\(index)", trigger: plan.trigger, policy: .update)
            gates[index].gate.open()
            await scheduler.waitUntilIdle()
            let due = try #require(try await scheduler.info(id: "\(index)")?.due)
            #expect(due.timeIntervalSince(now) == plan.first, "\(plan.trigger)")
        }
        await scheduler.shutdown()
    }

    @Test("an update of what has finished, or is not there, enqueues")
    func updateNothing() async throws {
        let scheduler = try await fixture.start()
        for _ in 0..<2 {
            try await scheduler.enqueue(request("1"), id: "a", policy: .update)
            await scheduler.waitUntilIdle()
        }
        #expect(runs.values == ["\"1\"", "\"1\""])
        await scheduler.shutdown()
    }
}
