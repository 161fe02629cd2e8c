import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWorkStorage

/// What the store promises about the work of schedulers that shut down or die.
struct OwnerConformanceTests {
    private let store: StoreUnderTest
    private let survivor: StoreScheduler
    private let doomed: StoreScheduler

    init() async throws {
        store = try StoreUnderTest(transferring: ["Transfer"])
        survivor = try await store.scheduler()
        doomed = try await store.scheduler()
    }

    private func row(of scheduler: StoreScheduler) async throws -> WorkSnapshot.Owner {
        try #require(try await survivor.read { try $0.owners() }.first { $0.id == scheduler.owner })
    }

    @discardableResult
    private func reclaim(
        _ scheduler: StoreScheduler, _ end: OwnerEnd = OwnerEnd(.killed, nil)
    ) async throws -> WorkTransaction.Reclaimed {
        let owner = try await row(of: scheduler)
        return try await survivor.write { try $0.reclaim(from: owner, after: end, now: .after(.seconds(1))) }
    }

    @Test("owners are listed as they were recorded, and other schedulers are notified of them")
    func owners() async throws {
        let owners = try await survivor.read { try $0.owners() }
        #expect(owners.map(\.id) == [survivor.owner, doomed.owner])
        #expect(owners.map(\.lockFile) == [survivor.lockFile, doomed.lockFile])
        try await doomed.enqueue("a")
        #expect(doomed.newest.others == [survivor.lockFile])
    }

    /// What is known of a dead owner's run.
    enum Knowledge: String, CaseIterable { case started, notCalled, notStarted, nothing }

    struct Rule: Sendable, CustomTestStringConvertible {
        var cause = OwnerEnd.Cause.killed
        var knowledge: Knowledge
        var isIdempotent: Bool
        var state: WorkState
        var deaths = 0
        var exits = 0
        var words: String?
        var testDescription: String { "\(cause), \(knowledge), \(isIdempotent ? "idempotent" : "not idempotent")" }
    }

    static let rules = [
        Rule(knowledge: .started, isIdempotent: true, state: .pending, deaths: 1, words: "died while this ran"),
        Rule(knowledge: .notStarted, isIdempotent: true, state: .pending),
        Rule(knowledge: .nothing, isIdempotent: true, state: .pending, deaths: 1),
        Rule(knowledge: .started, isIdempotent: false, state: .failed, words: "died while this ran"),
        Rule(knowledge: .notCalled, isIdempotent: false, state: .pending, deaths: 1),
        Rule(knowledge: .notStarted, isIdempotent: false, state: .pending),
        Rule(knowledge: .nothing, isIdempotent: false, state: .failed),
        Rule(
            cause: .exited, knowledge: .started, isIdempotent: true, state: .pending, exits: 1,
            words: "exited while this ran"),
        Rule(cause: .exited, knowledge: .notStarted, isIdempotent: true, state: .pending),
        Rule(cause: .exited, knowledge: .nothing, isIdempotent: true, state: .pending, exits: 1),
        Rule(
            cause: .exited, knowledge: .started, isIdempotent: false, state: .failed, words: "exited while this ran"),
        Rule(cause: .exited, knowledge: .notCalled, isIdempotent: false, state: .pending, exits: 1),
        Rule(cause: .exited, knowledge: .notStarted, isIdempotent: false, state: .pending),
        Rule(cause: .exited, knowledge: .nothing, isIdempotent: false, state: .failed),
        Rule(cause: .machineStopped, knowledge: .nothing, isIdempotent: true, state: .pending),
        Rule(
            cause: .machineStopped, knowledge: .nothing, isIdempotent: false, state: .failed,
            words: "the machine stopped"),
    ]

    @Test(
        "a dead owner's run goes back to the queue without an attempt, or fails if it must not run twice",
        arguments: rules)
    func death(rule: Rule) async throws {
        try await doomed.enqueue("a", TaskRequest(workerClassName: "W", isIdempotent: rule.isIdempotent))
        let work = try await doomed.claimOne()
        let stamp = RunStamp(work.record)
        let runs: OwnerEnd.Runs? =
            switch rule.knowledge {
            case .started: .init([stamp])
            case .notCalled: .init([stamp], notCalled: [stamp])
            case .notStarted: .init([])
            case .nothing: nil
            }
        let reclaimed = try await reclaim(doomed, OwnerEnd(rule.cause, runs))
        let fails = rule.state == .failed
        #expect(reclaimed.requeued == (fails ? 0 : 1))
        #expect(reclaimed.failed == (fails ? 1 : 0))
        let record = try #require(try await survivor.record("a"))
        #expect(record.status.state == rule.state)
        #expect(record.owner == nil)
        #expect(try await survivor.events().map(\.outcome) == (fails ? [.failed] : []))
        #expect(try await survivor.read { try $0.owners().map(\.id) } == [survivor.owner])
        let message = record.message ?? ""
        #expect(rule.words.map(message.contains) ?? true, "\(message)")
        #expect(message.contains("not idempotent") == fails, "\(message)")
        if fails { return }
        #expect(
            record.status
                == WorkStatus(state: .pending, generation: 1, attempt: 0, deaths: rule.deaths, exits: rule.exits))
        #expect(try await survivor.claimOne(at: .after(.seconds(1))).record.status.attempt == 1)
    }

    @Test("work whose process dies a third time, with nothing else running, fails and names its worker")
    func culprit() async throws {
        try await survivor.enqueue("a", TaskRequest(workerClassName: "Crash"))
        for death in 1...3 {
            let next = try await store.scheduler()
            _ = try await next.claimOne()
            let reclaimed = try await reclaim(next)
            #expect(reclaimed.failed == (death == 3 ? 1 : 0))
        }
        let event = try #require(try await survivor.events().first)
        #expect(event.outcome == .failed)
        #expect(event.message?.contains("died 3 times") == true)
        #expect(event.message?.contains("Crash") == true)
        #expect(try await survivor.claim().isEmpty)
    }

    @Test("work whose processes exit again and again fails in the end, and its event says what to do")
    func programThatAlwaysExits() async throws {
        try await survivor.enqueue("a", TaskRequest(workerClassName: "Leave"))
        let last = WorkStatus.toleratedExits + 3
        for exit in 1...last {
            let next = try await store.scheduler()
            _ = try await next.claimOne()
            let reclaimed = try await reclaim(next, OwnerEnd(.exited, nil))
            #expect(reclaimed.failed == (exit == last ? 1 : 0))
        }
        let message = try #require(try await survivor.events().first?.message)
        for words in ["exited \(last) times while this ran", "shutdown()", "a call of exit in Leave"] {
            #expect(message.contains(words), "\(message)")
        }
        #expect(!message.contains("died"), "\(message)")
    }

    @Test("the end of the process that ran a suspect names deaths only, if exits are not the cause")
    func suspectAfterExits() async throws {
        try await survivor.enqueue("a", TaskRequest(workerClassName: "Crash"))
        let ends: [OwnerEnd.Cause] = [.exited, .killed, .exited, .killed, .exited, .killed]
        for end in ends {
            let next = try await store.scheduler()
            _ = try await next.claimOne()
            try await reclaim(next, OwnerEnd(end, nil))
        }
        let message = try #require(try await survivor.events().first?.message)
        #expect(message.contains("died 3 times") && !message.contains("exited"), "\(message)")
    }

    @Test("a file that a dead owner was moving keeps its move, for the scheduler that resumes it")
    func moving() async throws {
        let id = try await doomed.item(in: .finishing)
        let reclaimed = try await reclaim(doomed, OwnerEnd(.killed, .init([])))
        #expect(reclaimed.interruptedMoves == 1)
        let record = try #require(try await survivor.record(id))
        #expect(record.status.state == .finishing)
        #expect(record.move == .sample)
        #expect(record.owner == nil)
        try await survivor.apply(.fileMoved, to: record.transferKey)
        #expect(try await survivor.state(of: id) == .succeeded)
    }

    @Test(
        "work that was handed off, or has ended, no longer belongs to the dead owner",
        arguments: [WorkState.handedOff, .succeeded, .failed])
    func notOwned(state: WorkState) async throws {
        let id = try await doomed.item(in: state)
        let before = try await survivor.record(id)
        #expect(try await reclaim(doomed) == WorkTransaction.Reclaimed())
        #expect(try await survivor.record(id) == before)
    }

    @Test("the transfers that failed runs may have left are cancelled")
    func transfers() async throws {
        try await doomed.enqueue("a", TaskRequest(workerClassName: "Transfer", isIdempotent: false))
        let key = try await doomed.claimOne().record.transferKey
        try await reclaim(doomed)
        #expect(try await survivor.outbox() == [key])
    }

    @Test("work of an owner that is not listed is found and reclaimed")
    func nobody() async throws {
        try await survivor.enqueue("a")
        #expect(try await !survivor.read { try $0.hasWorkWithoutOwner() })
        try await survivor.look(survivor.rules { $0.owner = 4711 })
        #expect(try await survivor.read { try $0.hasWorkWithoutOwner() })
        #expect(try await survivor.write { try $0.reclaimWithoutOwner(now: .start) }.requeued == 1)
        #expect(try await !survivor.read { try $0.hasWorkWithoutOwner() })
        #expect(try await survivor.claimOne().record.id == "a")
    }

    @Test(
        "a shutdown returns all work and removes its owner in one transaction, and fails work that must not run twice")
    func shutdown() async throws {
        let once = TaskRequest(workerClassName: "W", isIdempotent: false)
        let moving = try await doomed.item(in: .finishing)
        try await doomed.enqueue("begun")
        try await doomed.enqueue("once, begun", once)
        try await doomed.enqueue("once, not begun", once)
        let works = try await doomed.claim()
        let begun = Set(
            works.filter { $0.record.id.hasSuffix("begun") && !$0.record.id.contains("not") }.map(\.record.runKey))
        let owner = doomed.owner
        try await doomed.write { try $0.release(owner: owner, begun: begun, now: .after(.seconds(1))) }
        let states = try await survivor.read { snapshot in
            try ["begun", "once, begun", "once, not begun", moving].map { try snapshot.record(id: $0)?.status.state }
        }
        #expect(states == [.pending, .failed, .pending, .finishing])
        #expect(try await survivor.record(moving)?.owner == nil)
        #expect(try await survivor.events().map(\.workID) == ["once, begun"])
        #expect(try await survivor.read { try $0.owners().map(\.id) } == [survivor.owner])
        let next = try await survivor.claim(at: .after(.seconds(1)))
        #expect(next.map(\.record.id) == ["begun", "once, not begun"])
        #expect(next.allSatisfy { $0.record.status.attempt == 1 && $0.record.status.deaths == 0 })
    }

    @Test("only current runs of the own scheduler are put back")
    func putBack() async throws {
        for id in ["mine", "others", "ended", "waits"] { try await doomed.enqueue(id) }
        let mine = try await doomed.claim(limit: 1)
        let others = try await survivor.claim(limit: 1)
        let ended = try await doomed.claim(limit: 1)
        try await doomed.end(ended, .success)
        let outdated = RunKey(sequence: mine[0].record.sequence, generation: 2)
        let keys = [others[0].record.runKey, ended[0].record.runKey, outdated]
        let owner = doomed.owner
        try await doomed.write { try $0.putBack(keys, owner: owner, hasBegun: true, now: .start) }
        var states: [WorkState?] = []
        for id in ["mine", "others", "ended"] { states.append(try await doomed.state(of: id)) }
        #expect(states == [.running, .running, .succeeded])
        let key = mine[0].record.runKey
        try await doomed.write { try $0.putBack([key], owner: owner, hasBegun: true, now: .start) }
        let record = try #require(try await doomed.record("mine"))
        #expect(record.status == WorkStatus(state: .pending, generation: 1, attempt: 0, deaths: 0))
        // It keeps its position before work with the same due time.
        #expect(try await survivor.claim(limit: 1).map(\.record.id) == ["mine"])
    }

    @Test("the name of a dead owner's subscriber is free, and its cursor stays")
    func subscribers() async throws {
        try await doomed.enqueue("a")
        try await doomed.end(try await doomed.claimOne(), .success)
        let owner = doomed.owner
        try await doomed.write { transaction in
            _ = try transaction.holdSubscriber("ui", owner: owner)
            try transaction.acknowledge(1, by: "ui")
        }
        #expect(try await survivor.read { try $0.subscriberHolder("ui") } == owner)
        try await reclaim(doomed)
        #expect(try await survivor.read { try $0.subscriberHolder("ui") } == nil)
        #expect(try await survivor.read { try $0.cursor(of: "ui") } == 1)
    }
}
