import BackgroundWork
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// Ids that a chain's members have, or will have when an appended chain is next.
@Suite(.timeLimit(.minutes(5)))
struct ChainMemberIDTests {
    var fixture: SchedulerFixture
    /// What lets the first member of the chain end.
    private let gate = Latch()
    private let begun = Latch()

    init() throws {
        fixture = try SchedulerFixture()
        let (gate, begun) = (gate, begun)
        try fixture.workers.register("Gate") { _, _ in
            begun.open()
            await gate.wait()
            return .success()
        }
        try fixture.workers.register("Quick") { _, _ in .success() }
        try fixture.workers.register("Fail") { _, _ in .failure(message: "as told") }
    }

    private let quick = TaskRequest(workerClassName: "Quick")
    private let waiting = TaskTrigger.oneTime(delay: .seconds(3600))

    /// In real time: what could not be stored is tried again after a while.
    private func start() async throws -> WorkScheduler {
        let scheduler = try fixture.open()
        try await scheduler.start()
        return scheduler
    }

    /// The chain `c` with one member, which runs until the gate opens.
    private func begin(on scheduler: WorkScheduler) async throws {
        try await scheduler.beginWith(TaskRequest(workerClassName: "Gate")).enqueue(id: "c")
        await begun.wait()
    }

    private func append(on scheduler: WorkScheduler) async throws {
        try await scheduler.beginWith(quick).then(quick).enqueue(id: "c", policy: .append)
    }

    private func idIsTaken(_ id: String, _ enqueue: () async throws -> Void) async {
        do {
            try await enqueue()
            Issue.record("\(id) was accepted")
        } catch EnqueueError.idTaken(id, _) {
        } catch {
            Issue.record("\(error)")
        }
    }

    /// Opens the gate, and waits until the first member and all that was appended have ended. Returns the events.
    private func end(on scheduler: WorkScheduler) async throws -> [ExecutionRecord] {
        gate.open()
        let hasEnded = try await comesTrue(within: .seconds(5)) {
            let history = try await scheduler.executionHistory(workID: "c/0.0")
            let left = try await scheduler.appendedCount(id: "c")
            let members = try await scheduler.infos(chainID: "c")
            return !history.isEmpty && left == 0 && members.allSatisfy { $0.state.isFinished }
        }
        #expect(hasEnded, "the chain never ends: \(scheduler.recentNotices)")
        return try await scheduler.executionHistory().reversed()
    }

    @Test("the id of a future member of an appended chain is in use, for a request and for a chain")
    func reserved() async throws {
        let scheduler = try await start()
        try await begin(on: scheduler)
        try await append(on: scheduler)
        await idIsTaken("c/1.0") { try await scheduler.enqueue(quick, id: "c/1.0", trigger: waiting) }
        await idIsTaken("c/1.0") {
            try await scheduler.beginWith(TaskRequest(workerClassName: "Quick", delay: .seconds(3600)))
                .enqueue(id: "c/1.0")
        }
        let history = try await end(on: scheduler)
        #expect(history.map(\.workID) == ["c/0.0", "c/0.0", "c/1.0"])
        #expect(history.allSatisfy { $0.outcome == .succeeded }, "\(history)")
        // The id is free again.
        try await scheduler.enqueue(quick, id: "c/1.0")
        #expect(try await comesTrue { try await scheduler.info(id: "c/1.0")?.state == .succeeded })
        await scheduler.shutdown(gracePeriod: .milliseconds(200))
    }

    @Test("the id of a member of an unfinished chain is in use")
    func memberOfUnfinished() async throws {
        let scheduler = try await start()
        try await scheduler.beginWith(TaskRequest(workerClassName: "Gate")).then(quick).enqueue(id: "c")
        await begun.wait()
        await idIsTaken("c/1.0") { try await scheduler.enqueue(quick, id: "c/1.0") }
        let history = try await end(on: scheduler)
        #expect(history.map(\.workID) == ["c/0.0", "c/1.0"])
        await scheduler.shutdown(gracePeriod: .milliseconds(200))
    }

    @Test("a finished request with a member's id does not prevent an appended chain")
    func finished() async throws {
        let scheduler = try await start()
        try await scheduler.enqueue(quick, id: "c/1.0")
        await scheduler.waitUntilIdle()
        try await begin(on: scheduler)
        try await append(on: scheduler)
        let history = try await end(on: scheduler)
        #expect(history.map(\.workID) == ["c/1.0", "c/0.0", "c/0.0", "c/1.0"])
        #expect(history.allSatisfy { $0.outcome == .succeeded }, "\(history)")
        await scheduler.shutdown(gracePeriod: .milliseconds(200))
    }

    @Test("appended work that cannot start, because a request has a member's id, ends with events that say so")
    func conflict() async throws {
        let scheduler = try await start()
        try await scheduler.enqueue(quick, id: "c/1.0", trigger: waiting)
        try await begin(on: scheduler)
        // A refusal is as good.
        let isAppended: Bool
        do {
            try await append(on: scheduler)
            isAppended = true
        } catch EnqueueError.idTaken {
            isAppended = false
        }
        let history = try await end(on: scheduler)
        #expect(history.first?.workID == "c/0.0" && history.first?.outcome == .succeeded)
        try await expectRefusal(in: history.dropFirst(), isAppended)
        _ = try await scheduler.runNow(id: "c/1.0")
        #expect(try await comesTrue { try await scheduler.info(id: "c/1.0")?.state == .succeeded })
        await scheduler.shutdown(gracePeriod: .milliseconds(200))
    }

    @Test("a failed request that is retried under a member's id does not prevent any end")
    func revived() async throws {
        let scheduler = try await start()
        try await scheduler.enqueue(TaskRequest(workerClassName: "Fail"), id: "c/1.0")
        await scheduler.waitUntilIdle()
        try await begin(on: scheduler)
        try await append(on: scheduler)
        // Whether it is rejected or fails again does not matter here.
        _ = try? await scheduler.retry(id: "c/1.0")
        let history = try await end(on: scheduler)
        let first = try #require(history.first { $0.workID == "c/0.0" })
        #expect(first.outcome == .succeeded)
        #expect(
            try await comesTrue {
                try await scheduler.infos(matching: WorkQuery(states: [.running, .pending, .blocked])).isEmpty
            })
        await scheduler.shutdown(gracePeriod: .milliseconds(200))
    }

    private func expectRefusal(in history: ArraySlice<ExecutionRecord>, _ isAppended: Bool) async throws {
        guard isAppended else {
            #expect(history.isEmpty)
            return
        }
        #expect(Set(history.map(\.workID)) == ["c/0.0", "c/1.0"])
        #expect(history.allSatisfy { $0.outcome != .succeeded && $0.message?.contains("c/1.0") == true }, "\(history)")
    }
}
