import BackgroundWork
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// Work that a scheduler has claimed ahead and has not started, because all its slots are busy.
@Suite(.timeLimit(.minutes(5)))
struct ClaimedAheadTests {
    enum Who: CaseIterable { case itself, peer }

    private static let slots = 2
    private static let late = 300

    private let fixture: SchedulerFixture
    private let gate = Latch()
    private let held = Recorder<String>()
    private let begun = Recorder<String>()

    init() throws {
        var fixture = try SchedulerFixture()
        let (gate, held, begun) = (gate, held, begun)
        try fixture.workers.register("Quick") { _, _ in .success() }
        try fixture.workers.register("Gate") { _, context in
            held.add(context.workID)
            await gate.wait()
            return .success()
        }
        try fixture.workers.register("Late") { _, context in
            begun.add(context.workID)
            return .success()
        }
        self.fixture = fixture
    }

    /// A scheduler that has run many quick requests one after the other, all slots of which are busy now, with more to
    /// come; and the one that is to act.
    private func atTheGate(
        _ who: Who = .itself, deadline: Date? = nil, lateTrigger: TaskTrigger = .oneTime(),
        _ configure: (inout WorkScheduler.Configuration) -> Void = { _ in }
    ) async throws -> (scheduler: WorkScheduler, actor: WorkScheduler) {
        let scheduler = try fixture.open {
            $0.maximumConcurrentWork = Self.slots
            configure(&$0)
        }
        var late = TaskRequest(workerClassName: "Late", tags: ["late"], queue: "late")
        late.deadline = deadline
        try await scheduler.enqueue(
            contentsOf: (0..<400).map { TaskSubmission(TaskRequest(workerClassName: "Quick"), id: "quick-\($0)") }
                + (0..<Self.slots).map { TaskSubmission(TaskRequest(workerClassName: "Gate"), id: "gate-\($0)") }
                + (0..<Self.late).map { TaskSubmission(late, id: "late-\($0)", trigger: lateTrigger) })
        try await scheduler.start()
        #expect(try await comesTrue(within: .seconds(60)) { held.values.count == Self.slots })
        return (scheduler, who == .itself ? scheduler : try fixture.open())
    }

    @Test(
        "work claimed ahead does not start once a cancellation has returned", arguments: Who.allCases)
    func cancel(who: Who) async throws {
        let (scheduler, actor) = try await atTheGate(who)
        #expect(try await actor.cancel(tag: "late") == .cancelled(items: Self.late))
        gate.open()
        await scheduler.waitUntilIdle()
        #expect(begun.values.isEmpty, "\(begun.values.count) began")
        #expect(try await scheduler.infos(matching: WorkQuery(states: [.running, .pending])).isEmpty)
        await scheduler.shutdown()
        if who == .peer { await actor.shutdown() }
    }

    @Test("work claimed ahead does not start after its deadline, or after its window", arguments: [true, false])
    func tooLate(hasDeadline: Bool) async throws {
        let limit = fixture.clock.now + 30
        let window = TaskTrigger.windowed(earliest: fixture.clock.now, latest: limit)
        let (scheduler, _) = try await atTheGate(
            deadline: hasDeadline ? limit : nil, lateTrigger: hasDeadline ? .oneTime() : window
        ) { $0.clock = fixture.clock }
        fixture.clock.advance(by: .seconds(60))
        gate.open()
        await scheduler.waitUntilIdle()
        #expect(begun.values.isEmpty, "\(begun.values.count) began")
        #expect(try await scheduler.infos(matching: WorkQuery(states: [.skipped])).count == Self.late)
        await scheduler.shutdown()
    }

    @Test("work claimed ahead does not start once its queue is paused", arguments: Who.allCases)
    func pause(who: Who) async throws {
        let (scheduler, actor) = try await atTheGate(who)
        #expect(try await actor.pause(queue: "late"))
        gate.open()
        await scheduler.waitUntilIdle()
        #expect(begun.values.isEmpty, "\(begun.values.count) began")
        #expect(try await actor.resume(queue: "late"))
        #expect(try await comesTrue { Set(begun.values).count == Self.late })
        await scheduler.waitUntilIdle()
        #expect(begun.values.count == Self.late, "some ran twice")
        await scheduler.shutdown()
        if who == .peer { await actor.shutdown() }
    }
}
