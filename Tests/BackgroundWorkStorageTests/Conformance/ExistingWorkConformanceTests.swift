import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWorkStorage

/// What the store promises about a second request under an id.
struct ExistingWorkConformanceTests {
    private let scheduler: StoreScheduler

    init() async throws { scheduler = try await StoreUnderTest().scheduler() }

    /// What each policy makes of unfinished work.
    struct Rule: Sendable, CustomTestStringConvertible {
        var policy: ExistingWorkPolicy
        var answer: WorkTransaction.EnqueueAnswer
        var input: String
        var generation: Int64
        var appended = 0
        var events: [WorkOutcome] = []
        var testDescription: String { policy.rawValue }
    }

    static let rules = [
        Rule(policy: .keep, answer: .kept, input: "\"old\"", generation: 1),
        Rule(policy: .replace, answer: .inserted, input: "\"new\"", generation: 2, events: [.cancelled]),
        Rule(policy: .append, answer: .appended, input: "\"old\"", generation: 1, appended: 1),
        Rule(policy: .update, answer: .updated, input: "\"new\"", generation: 1),
    ]

    @Test("unfinished work is treated as the policy says", arguments: rules, [WorkState.pending, .running, .handedOff])
    func unfinished(rule: Rule, state: WorkState) async throws {
        let id = try await scheduler.item(in: state, .input("\"old\""))
        #expect(try await scheduler.enqueue(id, .input("\"new\""), policy: rule.policy) == rule.answer)
        let record = try #require(try await scheduler.record(id))
        #expect(record.inputJSON == rule.input)
        #expect(record.status.generation == rule.generation)
        #expect(record.status.state == (rule.policy == .replace ? .pending : state))
        #expect(try await scheduler.read { try $0.appendedCount(id: id) } == rule.appended)
        #expect(try await scheduler.events().map(\.outcome) == rule.events)
    }

    @Test(
        "finished work blocks nothing: its id is used under a new generation, and its event stays",
        arguments: ExistingWorkPolicy.allCases, [WorkState.succeeded, .failed, .cancelled, .skipped])
    func finished(policy: ExistingWorkPolicy, state: WorkState) async throws {
        let id = try await scheduler.item(in: state, .input("1"))
        #expect(try await scheduler.enqueue(id, .input("2"), policy: policy) == .inserted)
        let record = try #require(try await scheduler.record(id))
        #expect(record.inputJSON == "2")
        #expect(record.status == WorkStatus(state: .pending, generation: 2, attempt: 0, deaths: 0))
        #expect(try await scheduler.events().map { $0.outcome as WorkOutcome? } == [state.outcome])
        #expect(try await scheduler.claimOne().record.inputJSON == "2")
    }

    @Test("while its file is being moved into place, work is not replaced: the result is to try again")
    func moving() async throws {
        let id = try await scheduler.item(in: .finishing)
        let before = try await scheduler.record(id)
        #expect(try await scheduler.enqueue(id, policy: .replace) == .mustWait)
        #expect(try await scheduler.record(id) == before)
        try await scheduler.apply(.fileMoved, to: try await scheduler.key(of: id))
        #expect(try await scheduler.enqueue(id, policy: .replace) == .inserted)
    }

    @Test("updated work keeps its place, its time and its attempts, and takes what the new request says")
    func update() async throws {
        let old = TaskRequest(
            workerClassName: "W", retryPolicy: .tenSeconds(), tags: ["old", "both"], queue: "old")
        try await scheduler.enqueue("a", old)
        try await scheduler.end(try await scheduler.claimOne(), .tryAgain("busy"))
        let new = TaskRequest(
            workerClassName: "V", inputJSON: "2", priority: .critical, tags: ["new", "both"], queue: "new")
        #expect(try await scheduler.enqueue("a", new, policy: .update, at: .after(.seconds(1))) == .updated)
        let record = try #require(try await scheduler.record("a"))
        #expect(record.status == WorkStatus(state: .pending, generation: 1, attempt: 1, deaths: 0))
        #expect(record.due == .after(.seconds(10)))
        #expect(record.enqueuedAt == .start)
        #expect(record.workerName == "V")
        #expect(record.inputJSON == "2")
        #expect(record.priority == .critical)
        let found: [(WorkQuery, [String])] = [
            (WorkQuery(tags: ["old"]), []), (WorkQuery(tags: ["new"]), ["a"]), (WorkQuery(tags: ["both"]), ["a"]),
            (WorkQuery(queues: ["old"]), []), (WorkQuery(queues: ["new"]), ["a"]),
        ]
        for (query, ids) in found {
            #expect(try await scheduler.ids(query) == ids, "\(query)")
        }
        let claimed = try await scheduler.claimOne(at: .after(.seconds(10)))
        #expect(claimed.claimGroup == ClaimGroup(queue: "new", worker: "V", constraints: []))
        #expect(claimed.record.status.attempt == 2)
    }

    @Test("running work takes an update at its next attempt")
    func updateOfRunning() async throws {
        try await scheduler.enqueue("a", .input("1"))
        let work = try await scheduler.claimOne()
        #expect(try await scheduler.enqueue("a", .input("2"), policy: .update) == .updated)
        #expect(try await scheduler.state(of: "a") == .running)
        try await scheduler.end(work, .snooze(.seconds(1), reason: nil))
        #expect(try await scheduler.claimOne(at: .after(.seconds(1))).record.inputJSON == "2")
    }

    @Test("an update with another trigger plans the work anew")
    func updateOfTrigger() async throws {
        try await scheduler.enqueue("a", trigger: .oneTime(delay: .seconds(60)))
        try await scheduler.enqueue(
            "a", trigger: .periodic(interval: .seconds(30), runImmediately: false), policy: .update)
        #expect(try await scheduler.record("a")?.due == .after(.seconds(30)))
        try await scheduler.end(
            try await scheduler.claimOne(at: .after(.seconds(30))), .success, at: .after(.seconds(30)))
        #expect(try await scheduler.record("a")?.due == .after(.seconds(60)))
    }

    @Test("a chain is updated by one of the same shape, and any other is rejected")
    func updateOfChain() async throws {
        try await scheduler.enqueue(chain: "c", [[.input("1")], [.input("2"), .input("3")]])
        try await scheduler.end(try await scheduler.claimOne(), .success)
        for steps in [[[TaskRequest.plain]], [[.plain], [.plain]], [[.plain], [.plain, .plain], [.plain]]] {
            await #expect(throws: EnqueueError.self) {
                try await scheduler.enqueue(chain: "c", steps, policy: .update)
            }
        }
        let new = [[TaskRequest.input("4")], [.input("5"), .input("6")]]
        #expect(try await scheduler.enqueue(chain: "c", new, policy: .update) == .updated)
        let inputs = try await scheduler.read { try $0.records(chainID: "c").map(\.inputJSON) }
        // What has finished is not rewritten.
        #expect(inputs == ["1", "5", "6"])
    }
}
