import BackgroundWork
import BackgroundWorkTesting
import TestSupport
import Testing

/// The stream of one item's states and progress.
struct WorkUpdatesTests {
    var fixture: SchedulerFixture

    private let request = TaskRequest(workerClassName: "W", metadata: ["user": "Ada"])

    init() throws { fixture = try SchedulerFixture() }

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
        try await scheduler.enqueue(request, id: "w")
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

    @Test("the last report of a run stays with the work, also when it comes right before the end")
    mutating func lastProgress() async throws {
        try fixture.workers.register("W") { _, context in
            for part in 1...4 { context.report(WorkerProgress(fraction: Double(part) / 4)) }
            return .success()
        }
        let scheduler = try await fixture.start()
        for number in 1...20 { try await scheduler.enqueue(request, id: "w\(number)") }
        // Nobody moves the clock: what waits for its pause is written with the results.
        await scheduler.waitUntilIdle()
        for number in 1...20 {
            let info = try #require(try await scheduler.info(id: "w\(number)"))
            #expect(info.state == .succeeded && info.progress?.fraction == 1)
        }
        await scheduler.shutdown()
    }

    @Test("updates tell each state once and end with the work")
    mutating func updates() async throws {
        try fixture.workers.register("W") { _, _ in .success(message: "done") }
        let scheduler = try await fixture.start()
        #expect(await scheduler.updates(id: "nobody").first { _ in true } == nil)
        try await scheduler.enqueue(request, id: "w", trigger: .oneTime(delay: .seconds(5)))
        let updates = scheduler.updates(id: "w")
        fixture.clock.advance(by: .seconds(5))
        await scheduler.waitUntilIdle()
        var states: [WorkState] = []
        for await info in updates { states.append(info.state) }
        #expect(states.last == .succeeded)
        #expect(Set(states).count == states.count)
        await scheduler.shutdown()
    }
}
