import BackgroundWorkFiles
import BackgroundWorkStorage
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

@testable import BackgroundWork

/// What a process must not hold while it is suspended, and how it goes on afterward.
@Suite(.timeLimit(.minutes(5)))
struct SuspensionTests {
    var fixture: SchedulerFixture
    let activities = ScriptedSuspensions()
    let notices = Recorder<SchedulerNotice>()

    init() throws { fixture = try SchedulerFixture() }

    private func start() async throws -> WorkScheduler {
        try await fixture.start {
            $0.expiringActivities = activities
            $0.releasesLocksWhenSuspended = true
            $0.noticeHandler = { [notices] in notices.add($0) }
        }
    }

    /// The lock files of the directory that a process holds, apart from those of SQLite.
    private func heldLocks() throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: fixture.folder.path)
        return try names.filter { $0.hasSuffix(".lock") }.filter {
            try AdvisoryLock(path: fixture.folder.path + "/" + $0, contention: .giveUp) == nil
        }
    }

    /// Whether a transaction of another connection can begin at once.
    private func isWritable() throws -> Bool {
        let connection = try SQLiteConnection(path: fixture.folder.path + "/work.sqlite", mode: .readWriteCreate)
        try connection.run("PRAGMA busy_timeout = 0")
        do { try connection.run("BEGIN IMMEDIATE") } catch { return false }
        try connection.run("ROLLBACK")
        return true
    }

    @Test("before a suspension running work is put back and all locks go; afterward it runs again, and is counted once")
    mutating func expiry() async throws {
        let (begun, runs) = (Latch(), Recorder<String>())
        try fixture.workers.register("W") { _, context in
            runs.add(context.workID)
            if runs.values.count > 1 { return .success() }
            begun.open()
            while context.stopReason == nil { await Task.yield() }
            throw CancellationError()
        }
        let scheduler = try await start()
        let events = scheduler.eventBus.events
        try await scheduler.enqueue(TaskRequest(workerClassName: "W"), id: "a")
        await begun.wait()
        #expect(try !heldLocks().isEmpty)
        await activities.expire()
        #expect(try heldLocks() == [])
        #expect(try isWritable())
        #expect(try await scheduler.info(id: "a")?.state == .pending)
        // The process goes on, which nobody says.
        activities.setGranting(true)
        let isGranted = try await comesTrue {
            fixture.clock.advance(by: .seconds(1))
            return activities.requests.values.last == true && activities.requests.values.count > 1
        }
        #expect(isGranted)
        let ends = await SchedulerFixture.take(1, from: events)
        #expect(ends.map(\.outcome) == [.succeeded])
        #expect(runs.values == ["a", "a"])
        #expect(ends.map(\.attempt) == [1])
        #expect(try !heldLocks().isEmpty)
        await scheduler.shutdown()
    }

    @Test("what is enqueued while the locks are gone waits, and is stored as soon as the process may run")
    mutating func enqueue() async throws {
        try fixture.workers.register("W") { _, _ in .success() }
        let scheduler = try await start()
        let events = scheduler.eventBus.events
        await activities.expire()
        async let enqueued = scheduler.enqueue(TaskRequest(workerClassName: "W"), id: "a")
        // Asked for once, and refused.
        await activities.requests.wait { $0.suffix(1) == [false] }
        #expect(try isWritable())
        #expect(try await scheduler.info(id: "a") == nil)
        activities.setGranting(true)
        while activities.requests.values.last == false {
            fixture.clock.advance(by: .seconds(1))
            await Task.yield()
        }
        _ = try await enqueued
        #expect(await SchedulerFixture.take(1, from: events).map(\.workID) == ["a"])
        await scheduler.shutdown()
    }

    @Test("work that does not stop in time goes on after the suspension, and no other process takes it back")
    mutating func unstoppable() async throws {
        let (begun, end) = (Latch(), Latch())
        try fixture.workers.register("W") { _, _ in
            begun.open()
            await end.wait()
            return .success()
        }
        let scheduler = try await start()
        let events = scheduler.eventBus.events
        try await scheduler.enqueue(TaskRequest(workerClassName: "W"), id: "a")
        await begun.wait()
        async let expired: Void = activities.expire()
        let isFree = try await comesTrue {
            fixture.clock.advance(by: .seconds(1))
            return try heldLocks().isEmpty
        }
        #expect(isFree)
        await expired
        let other = try await fixture.start()
        #expect(other.recentNotices.isEmpty)
        #expect(try await other.info(id: "a")?.state == .running)
        activities.setGranting(true)
        activities.setBackground(false)
        let isHeld = try await comesTrue { try heldLocks().count == 2 }
        #expect(isHeld)
        end.open()
        let ends = await SchedulerFixture.take(1, from: events)
        #expect(ends.map(\.outcome) == [.succeeded])
        #expect(ends.map(\.attempt) == [1])
        await other.shutdown()
        await scheduler.shutdown()
    }

    @Test("in the background an idle scheduler lets its locks go before it must, and takes them for new work")
    mutating func background() async throws {
        try fixture.workers.register("W") { _, _ in .success() }
        let scheduler = try await start()
        let events = scheduler.eventBus.events
        activities.setBackground(true)
        await activities.ends.wait { $0 == [1] }
        #expect(try heldLocks() == [])
        try await scheduler.enqueue(TaskRequest(workerClassName: "W"), id: "a")
        #expect(await SchedulerFixture.take(1, from: events).map(\.workID) == ["a"])
        activities.setBackground(false)
        #expect(activities.requests.values == [true, true])
        await scheduler.shutdown()
        await activities.ends.wait { $0 == [1, 2] }
    }

    @Test("a scheduler that is shut down while its locks are gone stores what waits")
    mutating func shutdown() async throws {
        try fixture.workers.register("W") { _, _ in .success() }
        let scheduler = try await start()
        await activities.expire()
        async let enqueued = scheduler.enqueue(TaskRequest(workerClassName: "W"), id: "a")
        await activities.requests.wait { $0.suffix(1) == [false] }
        await scheduler.shutdown()
        _ = try await enqueued
        let next = try await fixture.start()
        #expect(next.recentNotices.isEmpty)
        let isDone = try await comesTrue { try await next.info(id: "a")?.state == .succeeded }
        #expect(isDone)
        await next.shutdown()
    }

    @Test("a shutdown while the locks are being let go stores everything, and leaves no lock")
    mutating func shutdownMeanwhile() async throws {
        let (begun, end) = (Latch(), Latch())
        try fixture.workers.register("W") { _, _ in
            begun.open()
            await end.wait()
            return .success()
        }
        let scheduler = try await start()
        try await scheduler.enqueue(TaskRequest(workerClassName: "W"), id: "a")
        await begun.wait()
        // Waits for the worker, on a clock that stands still.
        async let expired: Void = activities.expire()
        let isPaused = try await comesTrue { scheduler.runner.state.withLock { $0.isPaused } }
        #expect(isPaused)
        async let shutDown: Void = scheduler.shutdown(gracePeriod: .milliseconds(200))
        let isFree = try await comesTrue {
            fixture.clock.advance(by: .seconds(1))
            return try heldLocks().isEmpty
        }
        #expect(isFree)
        await shutDown
        await expired
        end.open()
        let next = try await fixture.start()
        let isDone = try await comesTrue { try await next.info(id: "a")?.state == .succeeded }
        #expect(isDone)
        #expect(next.recentNotices.isEmpty)
        await next.shutdown()
    }

    @Test("a scheduler that starts without the permission to hold locks registers when it has it")
    mutating func deniedAtStart() async throws {
        activities.setGranting(false)
        let scheduler = try fixture.open {
            $0.clock = fixture.clock
            $0.expiringActivities = activities
            $0.releasesLocksWhenSuspended = true
        }
        async let started: Void = scheduler.start()
        let isRefused = try await comesTrue {
            fixture.clock.advance(by: .seconds(1))
            return activities.requests.values.count >= 3
        }
        #expect(isRefused)
        #expect(try heldLocks() == [])
        activities.setGranting(true)
        let isHeld = try await comesTrue {
            fixture.clock.advance(by: .seconds(1))
            return try !heldLocks().isEmpty
        }
        #expect(isHeld)
        try await started
        await scheduler.shutdown()
    }

    @Test("while the system gives the app time for a task, the locks need no activity; they are gone before it ends")
    mutating func task() async throws {
        let runs = Recorder<String>()
        try fixture.workers.register("W") { _, context in
            runs.add(context.workID)
            return .success()
        }
        let system = ScriptedLaunchScheduler { _ in true }
        let dispatch = LaunchDispatch(clock: fixture.clock)
        await dispatch.register(prefix: "app", with: system)
        let scheduler = try await fixture.start {
            $0.expiringActivities = activities
            $0.releasesLocksWhenSuspended = true
            $0.launches = LaunchServices(scheduler: system, dispatch: dispatch)
            $0.backgroundTaskIdentifier = "app"
        }
        try await scheduler.enqueue(TaskRequest(workerClassName: "W", delay: .seconds(60)), id: "a")
        await activities.expire()
        fixture.clock.advance(by: .seconds(60))
        #expect(try heldLocks() == [])
        let launch = system.launch("app.refresh")
        try await launch.untilCompleted()
        #expect(launch.completions.values == [true])
        #expect(runs.values == ["a"])
        #expect(try heldLocks() == [])
        #expect(activities.requests.values.first == true)
        #expect(!activities.requests.values.dropFirst().contains(true))
        activities.setGranting(true)
        await scheduler.shutdown()
    }

    @Test("without the permission to hold locks nothing is locked from the start, until there is one")
    mutating func denied() async throws {
        activities.setGranting(false)
        let scheduler = try fixture.open {
            $0.clock = fixture.clock
            $0.expiringActivities = activities
            $0.releasesLocksWhenSuspended = true
        }
        await activities.requests.wait { $0 == [false] }
        #expect(try heldLocks() == [])
        activities.setGranting(true)
        async let started: Void = scheduler.start()
        while activities.requests.values.last == false {
            fixture.clock.advance(by: .seconds(1))
            await Task.yield()
        }
        try await started
        #expect(try !heldLocks().isEmpty)
        await scheduler.shutdown()
    }
}
