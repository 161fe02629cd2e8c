import BackgroundWork
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// Ways to look at work, and to cancel it in bulk.
struct WorkQueryTests {
    var fixture: SchedulerFixture

    init() throws { fixture = try SchedulerFixture() }

    func request(_ worker: String = "W", tags: Set<String> = [], queue: String = "default") -> TaskRequest {
        TaskRequest(workerClassName: worker, tags: tags, queue: queue, metadata: ["user": "Ada"])
    }

    @Test("a query joins its conditions, and goes on page by page")
    func query() async throws {
        let scheduler = try fixture.open()
        let results = try await scheduler.enqueue(
            contentsOf: (0..<10).map {
                TaskSubmission(
                    request(
                        $0 < 5 ? "A" : "B", tags: $0 % 2 == 0 ? ["even", "n\($0)"] : [],
                        queue: $0 == 9 ? "q" : "default"),
                    id: "w\($0)")
            })
        #expect(results.count == 10)
        try await scheduler.beginWith(request()).then(request()).enqueue(id: "c")
        func ids(_ query: WorkQuery) async throws -> [String] { try await scheduler.infos(matching: query).map(\.id) }
        #expect(try await ids(WorkQuery(tags: ["even"], workerClassNames: ["A"])) == ["w0", "w2", "w4"])
        #expect(try await ids(WorkQuery(ids: ["w1", "w9", "nobody"])) == ["w1", "w9"])
        #expect(try await ids(WorkQuery(queues: ["q"])) == ["w9"])
        #expect(try await ids(WorkQuery(states: [.blocked])) == ["c/1.0"])
        #expect(try await ids(WorkQuery(chainID: "c")) == ["c/0.0", "c/1.0"])
        var query = WorkQuery(limit: 5)
        var found: [String] = []
        while case let page = try await scheduler.infos(matching: query), !page.isEmpty {
            found += page.map(\.id)
            query.after = page.last?.cursor
        }
        #expect(found == (0..<10).map { "w\($0)" } + ["c/0.0", "c/1.0"])
        let info = try #require(try await scheduler.info(id: "w0"))
        #expect(info.tags == ["even", "n0"])
        #expect(info.metadata == ["user": "Ada"])
        #expect(try await scheduler.explain(id: "w0")?.reasons == [.schedulerNotRunning])
        #expect(try await scheduler.explain(id: "c/1.0")?.reasons == [.predecessorsUnfinished(["c/0.0"])])
        #expect(try await scheduler.explain(id: "nobody") == nil)
        await scheduler.shutdown()
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

    @Test("progress reaches those who listen, those who come later, and the item's info")
    mutating func progress() async throws {
        let reported = Latch()
        let goOn = Latch()
        try fixture.workers.register("W") { _, context in
            context.report(WorkerProgress(fraction: 0.25, message: "a quarter"))
            reported.open()
            await goOn.wait()
            return .success()
        }
        let scheduler = try await fixture.start()
        let early = scheduler.eventBus.progress
        try await scheduler.enqueue(request(), id: "w")
        await reported.wait()
        let expected = WorkerProgress(fraction: 0.25, message: "a quarter")
        #expect(await early.first { _ in true }?.progress == expected)
        #expect(await scheduler.eventBus.progress.first { _ in true }?.workID == "w")
        for await info in scheduler.updates(id: "w") where info.progress != nil {
            #expect(info.progress == expected)
            break
        }
        goOn.open()
        await scheduler.waitUntilIdle()
        await scheduler.shutdown()
    }

    @Test("updates tell each state once and end with the work")
    mutating func updates() async throws {
        try fixture.workers.register("W") { _, _ in .success(message: "done") }
        let scheduler = try await fixture.start()
        #expect(await scheduler.updates(id: "nobody").first { _ in true } == nil)
        try await scheduler.enqueue(request(), id: "w", trigger: .oneTime(delay: .seconds(5)))
        let updates = scheduler.updates(id: "w")
        fixture.clock.advance(by: .seconds(5))
        await scheduler.waitUntilIdle()
        var states: [WorkState] = []
        for await info in updates { states.append(info.state) }
        #expect(states.last == .succeeded)
        #expect(Set(states).count == states.count)
        await scheduler.shutdown()
    }

    @Test("the history keeps what the limits of count and age say")
    mutating func history() async throws {
        try fixture.workers.register("W") { _, _ in .success() }
        let scheduler = try await fixture.start { $0.retainedEventAge = .seconds(3600) }
        for index in 0..<3 {
            try await scheduler.enqueue(request(), id: "w\(index)")
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

    @Test("health shows queues, the longest due item and the device")
    mutating func health() async throws {
        try fixture.workers.register("W") { _, _ in .success() }
        fixture.device.set([.charging])
        let scheduler = try await fixture.start { $0.maximumConcurrentWork = 3 }
        try await scheduler.pause(queue: "q")
        let due = fixture.clock.now
        try await scheduler.enqueue(request(queue: "q"), id: "stuck")
        fixture.clock.advance(by: .seconds(60))
        try await scheduler.enqueue(request(queue: "q"), id: "stuck too")
        await scheduler.waitUntilIdle()
        let health = try await scheduler.health()
        #expect(health.queues.map(\.name) == ["q"])
        #expect(health.queues.first?.counts == [.pending: 2])
        #expect(health.queues.first?.isPaused == true)
        #expect(health.oldestDueID == "stuck")
        #expect(health.oldestDueSince == due)
        #expect(health.device == DeviceState(satisfied: .charging))
        #expect((health.running, health.slots, health.schedulers) == (0, 3, 1))
        await scheduler.shutdown()
    }
}
