import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWorkStorage

/// What the store promises about cancellations.
struct CancelConformanceTests {
    private let store: StoreUnderTest
    private let scheduler: StoreScheduler

    init() async throws {
        store = try StoreUnderTest(transferring: ["Transfer"])
        scheduler = try await store.scheduler()
    }

    static let answers: [(WorkState, WorkTransaction.CancelAnswer)] = [
        (.blocked, .cancelled(items: 1)), (.pending, .cancelled(items: 1)), (.running, .cancelled(items: 1)),
        (.handedOff, .cancelled(items: 1)), (.finishing, .tooLate), (.succeeded, .alreadyFinished),
        (.failed, .alreadyFinished), (.cancelled, .alreadyFinished), (.skipped, .alreadyFinished),
    ]

    @Test("in each state the answer is the right one, and what was cancelled has one event", arguments: answers)
    func states(state: WorkState, answer: WorkTransaction.CancelAnswer) async throws {
        let id = try await scheduler.item(in: state)
        let before = try await scheduler.record(id)
        #expect(try await scheduler.write { try $0.cancel(id: id, now: .start) } == answer)
        let events = try await scheduler.events().filter { $0.workID == id }
        if answer == .cancelled(items: 1) {
            #expect(try await scheduler.state(of: id) == .cancelled)
            #expect(events.map(\.outcome) == [.cancelled])
        } else {
            #expect(try await scheduler.record(id) == before)
            #expect(events.count == (state.isFinished ? 1 : 0))
        }
        #expect(try await scheduler.claim().filter { $0.record.id == id }.isEmpty)
    }

    @Test("an unused id is unknown")
    func unknown() async throws {
        #expect(try await scheduler.write { try $0.cancel(id: "nobody", now: .start) } == .unknown)
    }

    @Test("a run of the own scheduler is told to stop with the commit that cancels it")
    func ownRun() async throws {
        try await scheduler.enqueue("a")
        let work = try await scheduler.claimOne()
        try await scheduler.write { _ = try $0.cancel(id: "a", now: .start) }
        #expect(scheduler.newest.stoppedRuns == [work.record.runKey])
    }

    @Test("a run of another scheduler is reported to that scheduler once, when it checks for changes")
    func runOfAnother() async throws {
        let other = try await store.scheduler()
        try await scheduler.enqueue("a")
        let work = try await scheduler.claimOne()
        try await other.write { _ = try $0.cancel(id: "a", now: .start) }
        #expect(other.newest.stoppedRuns.isEmpty)
        #expect(other.newest.hasStopsForOthers)
        #expect(other.newest.others == [scheduler.lockFile])
        try await scheduler.write { try $0.readChangesOfOthers() }
        #expect(scheduler.newest.stoppedRuns == [work.record.runKey])
        #expect(scheduler.newest.eventsOfOthers.map(\.workID) == ["a"])
        try await scheduler.write { try $0.readChangesOfOthers() }
        #expect(scheduler.newest.stoppedRuns.isEmpty)
        #expect(scheduler.newest.eventsOfOthers.isEmpty)
    }

    @Test(
        "the cancellation asks for that of a transfer where one may be there",
        arguments: [
            (WorkState.pending, "Transfer", false), (.running, "Transfer", true), (.handedOff, "Transfer", true),
            (.running, "W", false), (.handedOff, "W", false),
        ])
    func transfers(state: WorkState, worker: String, isAsked: Bool) async throws {
        let id = try await scheduler.item(in: state, TaskRequest(workerClassName: worker))
        let key = try await scheduler.key(of: id)
        try await scheduler.write { _ = try $0.cancel(id: id, now: .start) }
        #expect(try await scheduler.outbox() == (isAsked ? [key] : []))
        #expect(scheduler.newest.hasOutbox == isAsked)
    }

    @Test("requests to the daemon keep their order until they are removed")
    func outbox() async throws {
        let keys = (1...3).map { TransferKey(workID: "w#\($0)/é\0", generation: $0) }
        for key in keys { try await scheduler.write { try $0.requestCancellation(of: key) } }
        let next = try await store.scheduler()
        let stored = try await next.read { try $0.outbox().map(\.sequence) }
        #expect(try await next.outbox() == keys)
        try await next.write { try $0.removeFromOutbox(stored[1]) }
        #expect(try await scheduler.outbox() == [keys[0], keys[2]])
    }

    static let scopes: [(scope: WorkTransaction.CancelScope, ids: [String])] = [
        (.tag("t"), ["tagged 1", "tagged 2", "c/0.0", "c/1.0"]), (.tag("none"), []),
        (.workerName("V"), ["worker 1", "worker 2", "worker 3"]), (.workerName("none"), []),
        (
            .all,
            ["plain", "tagged 1", "tagged 2", "worker 1", "worker 2", "worker 3", "c/0.0", "c/1.0"]
        ),
    ]

    @Test(
        "all unfinished work of a scope is cancelled, in the requested number of parts", arguments: scopes, [1, 2, 100])
    func byScope(case: (scope: WorkTransaction.CancelScope, ids: [String]), limit: Int) async throws {
        let (scope, ids) = `case`
        let tagged = TaskRequest(workerClassName: "W", tags: ["t"])
        try await scheduler.enqueue("done", TaskRequest(workerClassName: "V", tags: ["t"]))
        try await scheduler.end(try await scheduler.claimOne(), .success)
        try await scheduler.enqueue("plain")
        for number in 1...2 { try await scheduler.enqueue("tagged \(number)", tagged) }
        for number in 1...3 { try await scheduler.enqueue("worker \(number)", TaskRequest(workerClassName: "V")) }
        // Its second member is cancelled with the first.
        try await scheduler.enqueue(chain: "c", [[tagged], [.plain]])
        var place: Int64? = 0
        var count = 0
        while let after = place {
            let (cancelled, next) = try await scheduler.write {
                try $0.cancel(scope, after: after, limit: limit, now: .start)
            }
            count += cancelled
            place = next
        }
        #expect(count == ids.count)
        #expect(try await scheduler.ids(WorkQuery(states: [.cancelled])) == ids)
        #expect(try await scheduler.state(of: "done") == .succeeded)
        #expect(Set(try await scheduler.events().dropFirst().map(\.workID)) == Set(ids))
    }
}
