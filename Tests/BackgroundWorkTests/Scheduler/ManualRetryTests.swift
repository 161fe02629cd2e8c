import BackgroundWorkModel
import Foundation
import TestSupport
import Testing

@testable import BackgroundWork

struct ManualRetryTests {
    var fixture: SchedulerFixture
    /// Ids of work that fails for now.
    let failing = Failing()

    final class Failing: Sendable {
        private let ids = Recorder<(id: String, fails: Bool)>()
        func set(_ id: String, _ fails: Bool) { ids.add((id, fails)) }
        func contains(_ id: String) -> Bool { ids.values.last { $0.id == id }?.fails ?? false }
    }

    init() throws {
        fixture = try SchedulerFixture()
        let failing = failing
        try fixture.workers.register("W") { _, context in
            failing.contains(context.workID)
                ? .failure(message: "as told") : .success(outputJSON: "\"\(context.workID)\"")
        }
    }

    let request = TaskRequest(workerClassName: "W")

    /// How each id ended, in order.
    private func outcomes(_ scheduler: WorkScheduler) async throws -> [String: [WorkOutcome]] {
        var outcomes: [String: [WorkOutcome]] = [:]
        for record in try await scheduler.executionHistory().reversed() {
            outcomes[record.workID, default: []].append(record.outcome)
        }
        return outcomes
    }

    private func states(_ scheduler: WorkScheduler, _ chain: String = "c") async throws -> [WorkState] {
        try await scheduler.infos(chainID: chain).map(\.state)
    }

    @Test("what has failed runs again with all its attempts, and has one further event")
    func failed() async throws {
        let scheduler = try await fixture.start()
        failing.set("a", true)
        try await scheduler.enqueue(request, id: "a")
        await scheduler.waitUntilIdle()
        failing.set("a", false)
        #expect(try await scheduler.retry(id: "a") == .retried(items: 1))
        await scheduler.waitUntilIdle()
        let info = try #require(try await scheduler.info(id: "a"))
        #expect(info.state == .succeeded)
        #expect(info.runAttempt == 1)
        #expect(try await outcomes(scheduler) == ["a": [.failed, .succeeded]])
        await scheduler.shutdown()
    }

    @Test("what was cancelled or skipped runs after all")
    func cancelledAndSkipped() async throws {
        let scheduler = try await fixture.start()
        let start = fixture.clock.now
        try await scheduler.enqueue(request, id: "cancelled", trigger: .oneTime(delay: .seconds(60)))
        #expect(try await scheduler.cancel(id: "cancelled") == .cancelled(items: 1))
        fixture.device.set([])
        var needy = request
        needy.constraints = .network
        needy.deadline = start.addingTimeInterval(10)
        try await scheduler.enqueue(needy, id: "skipped")
        fixture.clock.advance(by: .seconds(10))
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.info(id: "skipped")?.state == .skipped)
        #expect(try await scheduler.retry(id: "cancelled") == .retried(items: 1))
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.retry(id: "skipped") == .retried(items: 1))
        await scheduler.waitUntilIdle()
        // Its deadline is still past, so it is skipped once more rather than run too late.
        #expect(
            try await outcomes(scheduler) == ["cancelled": [.cancelled, .succeeded], "skipped": [.skipped, .skipped]])
        await scheduler.shutdown()
    }

    @Test("what has succeeded, still waits or is unknown is not changed")
    func nothingToRetry() async throws {
        let scheduler = try await fixture.start()
        try await scheduler.enqueue(request, id: "done")
        try await scheduler.enqueue(request, id: "waiting", trigger: .oneTime(delay: .seconds(60)))
        try await scheduler.beginWith(request).then(request).enqueue(id: "c")
        await scheduler.waitUntilIdle()
        for id in ["done", "waiting", "c", "c/0.0", "c/1.0"] {
            #expect(try await scheduler.retry(id: id) == .nothingFailed)
        }
        #expect(try await scheduler.retry(id: "nobody") == .unknown)
        await scheduler.waitUntilIdle()
        #expect(try await outcomes(scheduler).values.allSatisfy { $0 == [.succeeded] })
        #expect(try await scheduler.info(id: "waiting")?.state == .pending)
        await scheduler.shutdown()
    }

    @Test("of a chain the failed member runs again, its dependents wait for it and run, and the rest stays")
    func chain() async throws {
        let scheduler = try await fixture.start()
        failing.set("c/1.1", true)
        try await scheduler.beginWith(request).then([request, request]).then(request).then(request).enqueue(id: "c")
        await scheduler.waitUntilIdle()
        #expect(try await states(scheduler) == [.succeeded, .succeeded, .failed, .failed, .failed])
        failing.set("c/1.1", false)
        #expect(try await scheduler.pause())
        #expect(try await scheduler.retry(id: "c") == .retried(items: 3))
        #expect(try await states(scheduler) == [.succeeded, .succeeded, .pending, .blocked, .blocked])
        #expect(try await scheduler.resume())
        await scheduler.waitUntilIdle()
        #expect(try await states(scheduler).allSatisfy { $0 == .succeeded })
        #expect(
            try await outcomes(scheduler) == [
                "c/0.0": [.succeeded], "c/1.0": [.succeeded], "c/1.1": [.failed, .succeeded],
                "c/2.0": [.failed, .succeeded], "c/3.0": [.failed, .succeeded],
            ])
        await scheduler.shutdown()
    }

    @Test("a chain whose branches were both cancelled before they began begins with both again")
    func cancelledBranches() async throws {
        let scheduler = try await fixture.start()
        #expect(try await scheduler.pause())
        let branch = scheduler.beginWith(request).then(request)
        try await #require(TaskChain.combine([branch, branch])).then(request).enqueue(id: "c")
        #expect(try await scheduler.cancel(id: "c") == .cancelled(items: 5))
        #expect(try await scheduler.retry(id: "c") == .retried(items: 5))
        #expect(try await states(scheduler) == [.pending, .blocked, .pending, .blocked, .blocked])
        #expect(try await scheduler.resume())
        await scheduler.waitUntilIdle()
        #expect(try await outcomes(scheduler).values.allSatisfy { $0 == [.cancelled, .succeeded] })
        await scheduler.shutdown()
    }

    @Test("a sibling that was cancelled before it began is tried again together with the one that failed")
    func cancelledSibling() async throws {
        let scheduler = try await fixture.start()
        failing.set("c/0.0", true)
        var later = request
        later.delay = .seconds(60)
        try await scheduler.beginWith([request, later]).then(request).enqueue(id: "c")
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.cancel(id: "c/0.1") == .cancelled(items: 1))
        failing.set("c/0.0", false)
        #expect(try await scheduler.retry(id: "c") == .retried(items: 3))
        await scheduler.waitUntilIdle()
        #expect(try await states(scheduler) == [.succeeded, .succeeded, .succeeded])
        await scheduler.shutdown()
    }

    @Test("nothing waits again while something else that it needs has failed")
    func memberByMember() async throws {
        let scheduler = try await fixture.start()
        failing.set("c/0.0", true)
        failing.set("c/0.1", true)
        try await scheduler.beginWith([request, request]).then(request).enqueue(id: "c")
        await scheduler.waitUntilIdle()
        #expect(try await states(scheduler) == [.failed, .failed, .failed])
        failing.set("c/0.0", false)
        failing.set("c/0.1", false)
        #expect(try await scheduler.retry(id: "c/1.0") == .nothingFailed)
        #expect(try await scheduler.retry(id: "c/0.0") == .retried(items: 1))
        await scheduler.waitUntilIdle()
        #expect(try await states(scheduler) == [.succeeded, .failed, .failed])
        #expect(try await scheduler.retry(id: "c/0.1") == .retried(items: 2))
        await scheduler.waitUntilIdle()
        #expect(try await outcomes(scheduler).values.allSatisfy { $0 == [.failed, .succeeded] })
        await scheduler.shutdown()
    }

    @Test("a dependent that failed with its predecessor twice runs once that succeeds")
    func twice() async throws {
        let scheduler = try await fixture.start()
        failing.set("c/0.0", true)
        try await scheduler.beginWith(request).then(request).enqueue(id: "c")
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.retry(id: "c/0.0") == .retried(items: 2))
        await scheduler.waitUntilIdle()
        failing.set("c/0.0", false)
        #expect(try await scheduler.retry(id: "c/0.0") == .retried(items: 2))
        await scheduler.waitUntilIdle()
        #expect(try await outcomes(scheduler).values.allSatisfy { $0 == [.failed, .failed, .succeeded] })
        await scheduler.shutdown()
    }

    @Test("recurring work that was cancelled recurs again")
    func recurring() async throws {
        let scheduler = try await fixture.start()
        try await scheduler.enqueue(request, id: "p", trigger: .periodic(interval: .seconds(900)))
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.retry(id: "p") == .nothingFailed)
        #expect(try await scheduler.cancel(id: "p") == .cancelled(items: 1))
        #expect(try await scheduler.retry(id: "p") == .retried(items: 1))
        await scheduler.waitUntilIdle()
        fixture.clock.advance(by: .seconds(900))
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.info(id: "p")?.state == .pending)
        let outcomes = try await outcomes(scheduler)["p"]
        #expect(outcomes?.prefix(3) == [.succeeded, .cancelled, .succeeded])
        await scheduler.shutdown()
    }
}
