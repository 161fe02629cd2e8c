import BackgroundWork
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// When requests run, on a clock that the test moves.
struct TriggerTests {
    var fixture: SchedulerFixture
    let runs = Recorder<Date>()

    init() throws {
        fixture = try SchedulerFixture()
        let (runs, clock) = (runs, fixture.clock)
        try fixture.workers.register("W") { _, _ in
            runs.add(clock.now)
            return .success()
        }
    }

    let request = TaskRequest(workerClassName: "W")

    /// Seconds from the beginning at which it ran.
    func seconds(since start: Date) -> [Double] { runs.values.map { $0.timeIntervalSince(start) } }

    @Test("a delay is counted from enqueueing")
    func delay() async throws {
        let scheduler = try await fixture.start()
        let start = fixture.clock.now
        try await scheduler.enqueue(request, trigger: .oneTime(delay: .seconds(30)))
        fixture.clock.advance(by: .seconds(29))
        await scheduler.waitUntilIdle()
        #expect(runs.values.isEmpty)
        fixture.clock.advance(by: .seconds(1))
        await scheduler.waitUntilIdle()
        #expect(seconds(since: start) == [30])
        await scheduler.shutdown()
    }

    @Test("the timer alone starts due work")
    func timer() async throws {
        let scheduler = try await fixture.start()
        let events = scheduler.eventBus.events
        try await scheduler.enqueue(request, trigger: .oneTime(delay: .seconds(30)))
        await fixture.clock.untilSleeping(atLeast: 1)
        fixture.clock.advance(by: .seconds(30))
        #expect(await SchedulerFixture.take(1, from: events).count == 1)
        await scheduler.shutdown()
    }

    @Test("periodic work counts from the planned time, and makes missed runs up once")
    func periodic() async throws {
        let scheduler = try await fixture.start()
        let start = fixture.clock.now
        try await scheduler.enqueue(request, id: "p", trigger: .periodic(interval: .seconds(900)))
        await scheduler.waitUntilIdle()
        for step in [901, 898, 1] {
            fixture.clock.advance(by: .seconds(step))
            await scheduler.waitUntilIdle()
        }
        // A run that started a second late does not shift the next one.
        #expect(seconds(since: start) == [0, 901, 1800])
        fixture.clock.advance(by: .seconds(9000))
        await scheduler.waitUntilIdle()
        #expect(seconds(since: start).dropFirst(3) == [10_800])
        fixture.clock.advance(by: .seconds(899))
        await scheduler.waitUntilIdle()
        #expect(runs.values.count == 4)
        fixture.clock.advance(by: .seconds(1))
        await scheduler.waitUntilIdle()
        #expect(seconds(since: start).last == 11_700)
        #expect(try await scheduler.info(id: "p")?.occurrence == 5)
        let history = try await scheduler.executionHistory(workID: "p")
        #expect(history.map(\.occurrence) == [4, 3, 2, 1, 0])
        await scheduler.shutdown()
    }

    @Test("periodic work that was missed while no process was there is made up once")
    func missed() async throws {
        let first = try await fixture.start()
        let start = fixture.clock.now
        try await first.enqueue(request, id: "p", trigger: .periodic(interval: .seconds(900)))
        await first.waitUntilIdle()
        await first.shutdown()
        fixture.clock.advance(by: .seconds(9005))
        let second = try await fixture.start()
        await second.waitUntilIdle()
        #expect(seconds(since: start) == [0, 9005])
        fixture.clock.advance(by: .seconds(895))
        await second.waitUntilIdle()
        #expect(seconds(since: start) == [0, 9005, 9900])
        await second.shutdown()
    }

    @Test("flex, initial delay and runImmediately move the first runs as they say")
    func flex() async throws {
        let scheduler = try await fixture.start()
        let start = fixture.clock.now
        try await scheduler.enqueue(
            request, id: "p",
            trigger: .periodic(
                interval: .seconds(1000), flex: .seconds(200), initialDelay: .seconds(100), runImmediately: false))
        for _ in 0..<30 {
            fixture.clock.advance(by: .seconds(100))
            await scheduler.waitUntilIdle()
        }
        // Planned for 1100, 2100 and 3100; each may begin 200 s before.
        #expect(seconds(since: start) == [900, 1900, 2900])
        await scheduler.shutdown()
    }

    @Test("an exact date in the past is due at once, and one in the future then")
    func exact() async throws {
        let scheduler = try await fixture.start()
        let start = fixture.clock.now
        try await scheduler.enqueue(request, trigger: .exact(start.addingTimeInterval(-1000)))
        try await scheduler.enqueue(request, trigger: .exact(start.addingTimeInterval(50)))
        await scheduler.waitUntilIdle()
        fixture.clock.advance(by: .seconds(50))
        await scheduler.waitUntilIdle()
        #expect(seconds(since: start) == [0, 50])
        await scheduler.shutdown()
    }

    @Test("a window's work that cannot start in time is skipped, with an event that says why")
    func window() async throws {
        fixture.device.set([])
        let scheduler = try await fixture.start()
        let events = scheduler.eventBus.events
        let start = fixture.clock.now
        var needy = request
        needy.constraints = .network
        try await scheduler.enqueue(
            needy, id: "w",
            trigger: .windowed(earliest: start.addingTimeInterval(10), latest: start.addingTimeInterval(20)))
        fixture.clock.advance(by: .seconds(15))
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.info(id: "w")?.state == .pending)
        fixture.clock.advance(by: .seconds(5))
        await scheduler.waitUntilIdle()
        let event = try #require(await SchedulerFixture.take(1, from: events).first)
        #expect(event.outcome == .skipped)
        #expect(event.attempt == 0)
        #expect(event.message?.contains("end of its window") == true)
        #expect(runs.values.isEmpty)
        await scheduler.shutdown()
    }

    @Test("cron runs by the civil time of its zone")
    func cron() async throws {
        fixture.clock.set(try Date("2026-03-28T12:00:00Z", strategy: .iso8601))
        let scheduler = try await fixture.start()
        try await scheduler.enqueue(request, id: "c", trigger: .cron("30 2 * * *", timeZone: "Europe/Berlin"))
        for _ in 0..<48 {
            fixture.clock.advance(by: .seconds(3600))
            await scheduler.waitUntilIdle()
        }
        let times = runs.values.map { $0.formatted(.iso8601) }
        #expect(times == ["2026-03-29T01:00:00Z", "2026-03-30T01:00:00Z"])
        await scheduler.shutdown()
    }

    @Test("a clock that is set back prolongs no wait, and periodic work continues within its interval")
    func setBack() async throws {
        let noticed = Latch()
        let scheduler = try await fixture.start {
            $0.noticeHandler = { if $0.kind == .clockSetBack { noticed.open() } }
        }
        try await scheduler.enqueue(request, id: "once", trigger: .oneTime(delay: .seconds(450)))
        try await scheduler.enqueue(request, id: "p", trigger: .periodic(interval: .seconds(900)))
        await scheduler.waitUntilIdle()
        #expect(runs.values.count == 1)
        fixture.clock.set(fixture.clock.now.addingTimeInterval(-86_400))
        await noticed.wait()
        fixture.clock.advance(by: .seconds(450))
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.info(id: "once")?.state == .succeeded)
        fixture.clock.advance(by: .seconds(450))
        await scheduler.waitUntilIdle()
        #expect(runs.values.count == 3)
        fixture.clock.advance(by: .seconds(900))
        await scheduler.waitUntilIdle()
        #expect(runs.values.count == 4)
        await scheduler.shutdown()
    }

    @Test("a clock that is set forward makes up what it passed once, and loses nothing when it is set back again")
    func setForward() async throws {
        let scheduler = try await fixture.start()
        try await scheduler.enqueue(request, id: "p", trigger: .periodic(interval: .seconds(900)))
        try await scheduler.enqueue(request, id: "c", trigger: .cron("0 3 * * *"))
        await scheduler.waitUntilIdle()
        fixture.clock.set(fixture.clock.now.addingTimeInterval(7 * 86_400))
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.info(id: "p")?.occurrence == 2)
        #expect(try await scheduler.info(id: "c")?.occurrence == 1)
        await scheduler.shutdown()
    }
}
