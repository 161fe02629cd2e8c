import BackgroundWork
import BackgroundWorkTesting
import TestSupport
import Testing

/// What the scheduler says of conditions that cannot be read.
@Suite(.timeLimit(.minutes(5)))
struct UnreadableConditionTests {
    private var fixture: SchedulerFixture
    private let notices = Recorder<SchedulerNotice>()
    private let fault = ConditionFault(.deviceIdle, reason: "no meter")

    init() throws {
        fixture = try SchedulerFixture()
        try fixture.workers.register("W") { _, _ in .success() }
    }

    private func start() async throws -> WorkScheduler {
        try await fixture.start { $0.noticeHandler = { [notices] in notices.add($0) } }
    }

    /// The messages about conditions.
    private var messages: [String] { notices.values.filter { $0.kind == .conditionUnreadable }.map(\.message) }

    @Test("work that needs such a condition is not delayed by it, and explain names it")
    mutating func explained() async throws {
        fixture.device.set([], unreadable: [fault])
        let scheduler = try await start()
        try await scheduler.enqueue(
            TaskRequest(workerClassName: "W", constraints: [.network, .deviceIdle]), id: "needy")
        try await scheduler.enqueue(TaskRequest(workerClassName: "W", constraints: .network), id: "other")
        await scheduler.waitUntilIdle()
        let explanation = try #require(try await scheduler.explain(id: "needy"))
        #expect(explanation.reasons == [.conditionsMissing(.network)])
        #expect(explanation.unreadable == [fault])
        #expect(
            explanation.description == "\"needy\" has not started: it needs a network; "
                + "counted as met, because it cannot be read: an idle device (no meter)")
        #expect(try await scheduler.explain(id: "other")?.unreadable == [])
        let events = scheduler.eventBus.events
        fixture.device.set(.network, unreadable: [fault])
        #expect(await Set(SchedulerFixture.take(2, from: events).map(\.workID)) == ["needy", "other"])
        #expect(try await scheduler.explain(id: "needy")?.unreadable == [])
        await scheduler.shutdown()
    }

    @Test("explain names it for running work, too")
    mutating func running() async throws {
        let started = Latch()
        let end = Latch()
        try fixture.workers.register("Long") { _, _ in
            started.open()
            await end.wait()
            return .success()
        }
        fixture.device.set([], unreadable: [fault])
        let scheduler = try await start()
        let events = scheduler.eventBus.events
        try await scheduler.enqueue(TaskRequest(workerClassName: "Long", constraints: .deviceIdle), id: "long")
        await started.wait()
        #expect(
            try await scheduler.explain(id: "long")?.description
                == "\"long\" runs; counted as met, because it cannot be read: an idle device (no meter)")
        end.open()
        #expect(await SchedulerFixture.take(1, from: events).map(\.success) == [true])
        await scheduler.shutdown()
    }

    @Test("one notice for each condition and reason says so, once work needs the condition")
    mutating func noticed() async throws {
        fixture.device.set(.network, unreadable: [fault])
        let scheduler = try await start()
        let events = scheduler.eventBus.events
        func run(_ id: String, _ constraints: Constraints) async throws {
            try await scheduler.enqueue(TaskRequest(workerClassName: "W", constraints: constraints), id: id)
            #expect(await SchedulerFixture.take(1, from: events).map(\.workID) == [id])
        }
        try await run("1", .network)
        #expect(messages == [])
        try await run("2", .deviceIdle)
        let first = "Counts as met, because it cannot be read: an idle device (no meter)"
        #expect(messages == [first])
        fixture.device.set([.network, .deviceIdle])
        fixture.device.set(.network, unreadable: [fault, ConditionFault(.charging, reason: "no driver")])
        try await run("3", [.deviceIdle, .charging])
        #expect(messages == [first, "Counts as met, because it cannot be read: external power (no driver)"])
        #expect(scheduler.recentNotices.filter { $0.kind == .conditionUnreadable }.count == 2)
        await scheduler.shutdown()
    }

    @Test("health shows it")
    mutating func health() async throws {
        fixture.device.set(.network, unreadable: [fault])
        let scheduler = try await start()
        #expect(try await scheduler.health().device == DeviceState(satisfied: .network, unreadable: [fault]))
        await scheduler.shutdown()
    }

    @Test("a condition that becomes unreadable while work runs does not stop the work")
    mutating func lostSight() async throws {
        let started = Latch()
        let named = Latch()
        try fixture.workers.register("Long") { _, context in
            started.open()
            await named.wait()
            return .success(message: "\(context.stopReason == nil)")
        }
        fixture.device.set(.deviceIdle)
        let scheduler = try await fixture.start {
            $0.noticeHandler = { if $0.kind == .conditionUnreadable { named.open() } }
        }
        let events = scheduler.eventBus.events
        try await scheduler.enqueue(TaskRequest(workerClassName: "Long", constraints: .deviceIdle), id: "long")
        await started.wait()
        fixture.device.set([], unreadable: [fault])
        #expect(await SchedulerFixture.take(1, from: events).map(\.message) == ["true"])
        await scheduler.shutdown()
    }

    @Test("a condition whose changes escape the system is named by a notice")
    mutating func unwatched() async throws {
        struct Blind: DeviceStateReader {
            let now = DeviceState(
                satisfied: .network, unwatched: [ConditionFault(.network, reason: "changes are not detected")])

            func state() async -> DeviceState { now }

            func changes(of interest: Constraints) -> AsyncStream<DeviceState> { AsyncStream { $0.finish() } }
        }
        let scheduler = try await fixture.start {
            $0.deviceState = Blind()
            $0.noticeHandler = { [notices] in notices.add($0) }
        }
        let events = scheduler.eventBus.events
        try await scheduler.enqueue(TaskRequest(workerClassName: "W", constraints: .network), id: "w")
        #expect(await SchedulerFixture.take(1, from: events).map(\.success) == [true])
        #expect(
            notices.values.filter { $0.kind == .watchFailure }.map(\.message)
                == ["Is not fully watched: a network (changes are not detected)"])
        await scheduler.shutdown()
    }
}
