import BackgroundWorkModel
import BackgroundWorkTesting
import Synchronization
import TestSupport
import Testing

@testable import BackgroundWork

/// A launched app runs due work, and stops in time.
@Suite(.timeLimit(.minutes(5)))
struct LaunchWindowTests {
    var stage: LaunchStage

    init() async throws { stage = try await LaunchStage() }

    /// A worker that runs until it is stopped, in its first run only.
    private mutating func registerBlocked(_ name: String, begun: Latch, runs: Recorder<String>) throws {
        let isFirst = Recorder<Bool>()
        try stage.fixture.workers.register(name) { _, context in
            runs.add(context.workID)
            isFirst.add(true)
            if isFirst.values.count > 1 { return .success() }
            begun.open()
            while context.stopReason == nil { await Task.yield() }
            #expect(context.stopReason == .shutdown)
            throw CancellationError()
        }
    }

    @Test("a launch waits for the scheduler; its work runs, and the task is completed once, with success")
    mutating func due() async throws {
        let runs = Recorder<String>()
        try stage.fixture.workers.register("W") { _, context in
            runs.add(context.workID)
            return .success()
        }
        let scheduler = try stage.open()
        try await scheduler.enqueue(TaskRequest(workerClassName: "W"), id: "a")
        try await stage.system.wait { $0.keys.sorted() == ["app.refresh"] }
        let launch = stage.system.launch("app.refresh", timeLimit: .seconds(30))
        #expect(runs.values.isEmpty)
        try await scheduler.start()
        try await launch.untilCompleted()
        #expect(runs.values == ["a"])
        launch.task.expire()
        launch.task.complete(success: false)
        #expect(launch.completions.values == [true])
        #expect(stage.system.pending.isEmpty)
        await scheduler.shutdown()
    }

    @Test("an expiry in the middle of a chain stops its work, requests a launch, and the next launch ends the chain")
    mutating func expiry() async throws {
        let (begun, runs) = (Latch(), Recorder<String>())
        try stage.fixture.workers.register("W") { _, context in
            runs.add(context.workID)
            return .success()
        }
        try registerBlocked("Blocked", begun: begun, runs: runs)
        let scheduler = try await stage.start()
        let events = scheduler.eventBus.events
        try await scheduler.beginWith(TaskRequest(workerClassName: "W")).then(TaskRequest(workerClassName: "Blocked"))
            .then(TaskRequest(workerClassName: "W")).enqueue(id: "c")
        let first = stage.system.launch("app.refresh")
        try await begun.opens()
        first.task.expire()
        try await first.untilCompleted()
        #expect(first.completions.values == [false])
        #expect(stage.system.pending.keys.sorted() == ["app.refresh"])
        let stopped = try await scheduler.info(id: "c/1.0")
        #expect(stopped?.state == .pending)
        #expect(runs.values == ["c/0.0", "c/1.0"])
        let second = stage.system.launch("app.refresh")
        try await second.untilCompleted()
        #expect(second.completions.values == [true])
        #expect(first.completions.values == [false])
        #expect(runs.values == ["c/0.0", "c/1.0", "c/1.0", "c/2.0"])
        let ends = await SchedulerFixture.take(3, from: events)
        #expect(ends.map(\.workID) == ["c/0.0", "c/1.0", "c/2.0"])
        #expect(ends.map(\.attempt) == [1, 1, 1])
        #expect(stage.system.pending.isEmpty)
        await scheduler.shutdown()
    }

    @Test("work that is stopped goes on in the next process")
    mutating func nextProcess() async throws {
        let (begun, runs) = (Latch(), Recorder<String>())
        try registerBlocked("Blocked", begun: begun, runs: runs)
        let scheduler = try await stage.start()
        try await scheduler.enqueue(TaskRequest(workerClassName: "Blocked"), id: "a")
        try await begun.opens()
        let first = stage.system.launch("app.refresh")
        first.task.expire()
        try await first.untilCompleted()
        await scheduler.shutdown()
        let next = try stage.open()
        let second = stage.system.launch("app.refresh")
        try await next.start()
        try await second.untilCompleted()
        #expect(second.completions.values == [true])
        #expect(runs.values == ["a", "a"])
        #expect(try await next.info(id: "a")?.runAttempt == 1)
        await next.shutdown()
    }

    @Test("22 s of work in windows of 5 s: each is left before its end, and no second is worked twice")
    mutating func manyWindows() async throws {
        let (begun, steps) = (Latch(), Recorder<Int>())
        let warm = WarmUp()
        let clock = stage.fixture.clock
        try stage.fixture.workers.register("Long") { _, context in
            if warm.isFirst {
                begun.open()
                while context.stopReason == nil { await Task.yield() }
                throw CancellationError()
            }
            let start = clock.uptime
            var done = context.checkpoint.flatMap(Int.init) ?? 0
            while done < 22 {
                // At 4 s the window is over; the stop comes.
                while clock.uptime - start >= .seconds(4), context.stopReason == nil { await Task.yield() }
                if context.stopReason != nil { throw CancellationError() }
                clock.advance(by: .seconds(1))
                done += 1
                steps.add(done)
                try await context.saveCheckpoint("\(done)")
            }
            return .success()
        }
        let scheduler = try await stage.start()
        try await scheduler.enqueue(TaskRequest(workerClassName: "Long"), id: "long")
        try await begun.opens()
        var launch = stage.system.launch("app.refresh")
        launch.task.expire()
        try await launch.untilCompleted()
        var successes: [Bool] = []
        while successes.last != true, successes.count < 20 {
            #expect(stage.system.pending.keys.sorted() == ["app.refresh"])
            launch = stage.system.launch("app.refresh", timeLimit: .seconds(5))
            try await launch.untilCompleted()
            successes += launch.completions.values
        }
        #expect(successes == [false, false, false, false, false, true])
        #expect(steps.values == Array(1...22))
        #expect(try await scheduler.info(id: "long")?.runAttempt == 1)
        #expect(stage.system.pending.isEmpty)
        await scheduler.shutdown()
    }

    @Test("a worker that ignores the stop does not delay the completion, and its result counts")
    mutating func stubborn() async throws {
        let (begun, gate) = (Latch(), Latch())
        try stage.fixture.workers.register("Stubborn") { _, _ in
            begun.open()
            await gate.wait()
            return .success()
        }
        let scheduler = try await stage.start()
        try await scheduler.enqueue(TaskRequest(workerClassName: "Stubborn"), id: "a")
        try await begun.opens()
        let launch = stage.system.launch("app.refresh")
        launch.task.expire()
        try await stage.pass(.milliseconds(500), untilCompleted: launch)
        #expect(launch.completions.values == [false])
        #expect(try await scheduler.info(id: "a")?.state == .running)
        gate.open()
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.info(id: "a")?.state == .succeeded)
        await scheduler.shutdown()
    }

    @Test("in a process that goes on after an expiry, as in the foreground, stopped work goes on by itself")
    mutating func foreground() async throws {
        let (begun, runs) = (Latch(), Recorder<String>())
        try registerBlocked("Blocked", begun: begun, runs: runs)
        let scheduler = try await stage.start()
        let events = scheduler.eventBus.events
        try await scheduler.enqueue(TaskRequest(workerClassName: "Blocked"), id: "a")
        try await begun.opens()
        let launch = stage.system.launch("app.processing")
        launch.task.expire()
        try await launch.untilCompleted()
        await scheduler.waitUntilIdle()
        #expect(runs.values == ["a"])
        stage.fixture.clock.advance(by: .seconds(10))
        #expect(await SchedulerFixture.take(1, from: events).map(\.outcome) == [.succeeded])
        #expect(runs.values == ["a", "a"])
        await scheduler.shutdown()
    }

    @Test("while a second task keeps the app running, the expiry of the first stops nothing")
    mutating func twoTasks() async throws {
        let (begun, gate, reasons) = (Latch(), Latch(), Recorder<StopReason?>())
        try stage.fixture.workers.register("W") { _, context in
            begun.open()
            await gate.wait()
            reasons.add(context.stopReason)
            return .success()
        }
        let scheduler = try await stage.start()
        try await scheduler.enqueue(TaskRequest(workerClassName: "W"), id: "a")
        try await begun.opens()
        let processing = stage.system.launch("app.processing")
        #expect(try await comesTrue { scheduler.launches?.window.isOpen == true })
        let refresh = stage.system.launch("app.refresh")
        refresh.task.expire()
        try await refresh.untilCompleted()
        #expect(processing.completions.values.isEmpty)
        gate.open()
        try await processing.untilCompleted()
        #expect(reasons.values == [nil])
        #expect((refresh.completions.values + processing.completions.values) == [false, true])
        await scheduler.shutdown()
    }

    @Test("a launch that no scheduler takes is completed after 20 s, or when it expires, and the next one is told")
    mutating func unclaimed() async throws {
        let late = stage.system.launch("app.refresh")
        try await stage.pass(.seconds(5), untilCompleted: late)
        let expired = stage.system.launch("app.processing")
        expired.task.expire()
        #expect(late.completions.values == [false])
        #expect(expired.completions.values == [false])
        let scheduler = try await stage.start()
        #expect(stage.notices.values.map(\.kind) == [.launchNotRequested, .launchNotRequested])
        await stage.dispatch.register(prefix: "other", with: stage.system)
        let other = stage.system.launch("other.refresh")
        other.task.expire()
        #expect(other.completions.values == [false])
        #expect(stage.notices.values.last?.message.contains("other.refresh") == true)
        await scheduler.shutdown()
    }
}

/// Whether a worker runs for the first time.
private final class WarmUp: Sendable {
    private let count = Atomic(0)
    var isFirst: Bool { count.add(1, ordering: .relaxed).newValue == 1 }
}
