import BackgroundWorkModel
import BackgroundWorkTesting
import TestSupport
import Testing

@testable import BackgroundWork

/// Work that needs an idle device waits for the system's activities, where it has them.
@Suite(.timeLimit(.minutes(5)))
struct IdleActivityTests {
    private let activities = ScriptedActivities()
    private var fixture: SchedulerFixture

    init() throws { fixture = try SchedulerFixture() }

    private func open() throws -> WorkScheduler {
        try fixture.open {
            $0.clock = fixture.clock
            $0.activities = activities
            $0.launches = nil
            $0.backgroundTaskIdentifier = "app"
        }
    }

    private func idle(_ name: String) -> TaskRequest { TaskRequest(workerClassName: name, constraints: .deviceIdle) }

    @Test("an activity is requested for the due time, the work runs in it, and it ends as finished")
    mutating func finishes() async throws {
        let runs = Recorder<String>()
        try fixture.workers.register("W") { _, context in
            runs.add(context.workID)
            return .success()
        }
        let scheduler = try open()
        try await scheduler.start()
        try await scheduler.enqueue(idle("W"), id: "a", trigger: .oneTime(delay: .seconds(60)))
        try await scheduler.enqueue(TaskRequest(workerClassName: "W"), id: "other")
        await scheduler.tellWakes()
        #expect(activities.pending["app.idle"]?.delay == .seconds(60))
        #expect(activities.pending["app.idle"]?.flexibility == .seconds(600))
        fixture.clock.advance(by: .seconds(60))
        await scheduler.waitUntilIdle()
        #expect(runs.values == ["other"])
        let activity = try activities.begin("app.idle")
        #expect(try await comesTrue { activity.ends.values == [true] })
        #expect(runs.values == ["other", "a"])
        // The condition does not hold after it.
        try await scheduler.enqueue(idle("W"), id: "b")
        await scheduler.waitUntilIdle()
        #expect(runs.values == ["other", "a"])
        await scheduler.tellWakes()
        #expect(activities.pending["app.idle"] != nil)
        try await scheduler.cancel(id: "b")
        await scheduler.tellWakes()
        #expect(activities.pending["app.idle"] == nil)
        await scheduler.shutdown()
        #expect(activity.ends.values == [true])
    }

    @Test("work that the system defers stops and is put back, other work goes on, and the next activity ends it")
    mutating func deferred() async throws {
        let (gate, begun, reasons) = (Latch(), Latch(), Recorder<StopReason?>())
        try fixture.workers.register("Idle") { _, context in
            begun.open()
            while context.stopReason == nil, !gate.isOpen { await Task.yield() }
            reasons.add(context.stopReason)
            if context.stopReason != nil { throw CancellationError() }
            return .success()
        }
        try fixture.workers.register("Other") { _, context in
            await gate.wait()
            reasons.add(context.stopReason)
            return .success()
        }
        let scheduler = try open()
        try await scheduler.start()
        let events = scheduler.eventBus.events
        try await scheduler.enqueue(idle("Idle"), id: "a")
        try await scheduler.enqueue(TaskRequest(workerClassName: "Other"), id: "other")
        let clock = fixture.clock
        await scheduler.tellWakes()
        let first = try activities.begin("app.idle")
        try await begun.opens()
        first.askToDefer()
        let isDeferred = try await comesTrue {
            clock.advance(by: .seconds(1))
            return first.ends.values == [false]
        }
        #expect(isDeferred)
        #expect(try await comesTrue { reasons.values == [.constraintLost] })
        #expect(try await comesTrue { try await scheduler.info(id: "a")?.state == .pending })
        #expect(try await scheduler.info(id: "other")?.state == .running)
        gate.open()
        let second = activities.begin(again: first)
        #expect(try await comesTrue { second.ends.values == [true] })
        let ends = await SchedulerFixture.take(2, from: events)
        #expect(Set(ends.map(\.workID)) == ["a", "other"])
        #expect(ends.map(\.attempt) == [1, 1])
        #expect(first.ends.values == [false])
        await scheduler.shutdown()
    }

    @Test("an activity that begins before the scheduler is started is deferred, and after its end ends at once")
    mutating func unstarted() async throws {
        try fixture.workers.register("W") { _, _ in .success() }
        var scheduler: WorkScheduler? = try open()
        try await scheduler?.enqueue(idle("W"), id: "a")
        await scheduler?.tellWakes()
        let early = try activities.begin("app.idle")
        #expect(try await comesTrue { early.ends.values == [false] })
        try await scheduler?.start()
        let late = activities.begin(again: early)
        #expect(try await comesTrue { late.ends.values == [true] })
        #expect(try await scheduler?.info(id: "a")?.state == .succeeded)
        await scheduler?.shutdown()
        let afterShutdown = activities.begin(again: late)
        #expect(try await comesTrue { afterShutdown.ends.values == [true] })
        scheduler = nil
        let afterRelease = activities.begin(again: late)
        #expect(try await comesTrue { afterRelease.ends.values == [true] })
        #expect(activities.pending["app.idle"] == nil)
    }

    @Test("a reader of the host's own decides by itself, and no activity is requested")
    mutating func ownReader() async throws {
        try fixture.workers.register("W") { _, _ in .success() }
        fixture.device.set(.all)
        let scheduler = try fixture.open {
            $0.clock = fixture.clock
            $0.activities = activities
            $0.deviceState = fixture.device
            $0.backgroundTaskIdentifier = "app"
        }
        try await scheduler.start()
        try await scheduler.enqueue(idle("W"), id: "a")
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.info(id: "a")?.state == .succeeded)
        #expect(activities.pending.isEmpty)
        await scheduler.shutdown()
    }
}
