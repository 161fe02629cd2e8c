import BackgroundWorkFiles
import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWorkStorage

/// What the store promises about hand-offs, their outcomes and their generations.
struct HandOffConformanceTests {
    private let scheduler: StoreScheduler

    init() async throws { scheduler = try await StoreUnderTest(transferring: ["Transfer"]).scheduler() }

    private let request = TaskRequest(workerClassName: "W", retryPolicy: .tenSeconds())

    @Test("an outcome ends its hand-off once", arguments: [WorkOutcome.succeeded, .failed])
    func once(outcome: WorkOutcome) async throws {
        let key = try await scheduler.key(of: try await scheduler.item(in: .handedOff))
        let details = WorkTransaction.Details(message: "first", outputJSON: "1")
        let first = try await scheduler.apply(.outcomeFinal(outcome), to: key, details)
        #expect(
            first == .finishes(WorkStatus(state: WorkState(outcome), generation: 1, attempt: 1, deaths: 0), outcome))
        let before = try await scheduler.record("item")
        for change in [WorkChange.outcomeFinal(.succeeded), .outcomeFinal(.failed), .outcomeRetries, .fileArrived] {
            let again = try await scheduler.apply(change, to: key, .init(message: "second", move: .sample))
            #expect(again == .refused(.alreadyFinished))
        }
        #expect(try await scheduler.record("item") == before)
        let events = try await scheduler.events()
        #expect(events.map(\.message) == ["first"])
        #expect(events.map(\.outputJSON) == ["1"])
    }

    static let changes: [WorkChange] = [
        .outcomeFinal(.succeeded), .outcomeFinal(.failed), .outcomeRetries, .outcomeIsThere, .fileArrived,
        .fileRedirected, .fileMoved, .handOffLost, .sweptAsStale, .workerFinished(.succeeded), .workerRetries,
        .workerHandedOff, .cancelled, .tooLateToStart, .ownerDied(mayRunAgain: true, wasAlone: true),
    ]

    @Test(
        "a change that is meant for another generation changes nothing", arguments: changes,
        [WorkState.pending, .running, .handedOff, .finishing])
    func stale(change: WorkChange, state: WorkState) async throws {
        let id = try await scheduler.item(in: .handedOff, request)
        let first = try await scheduler.key(of: id)
        _ = try await scheduler.write { try $0.retryHandOff(first, reason: "lost", random: 0.5, now: .start) }
        if state != .pending {
            let work = try await scheduler.claimOne(at: .after(.seconds(10)))
            if state != .running { try await scheduler.end(work, .handedOff(message: "again", expiresAfter: nil)) }
            if state == .finishing {
                try await scheduler.apply(.fileArrived, to: work.record.transferKey, .init(move: .sample))
            }
        }
        let before = try #require(try await scheduler.record(id))
        #expect(before.status.state == state)
        #expect(before.status.generation == 2)
        for generation in [1, 3] as [Int64] {
            let key = TransferKey(workID: id, generation: generation)
            #expect(
                try await scheduler.apply(change, to: key, .init(message: "late", move: .sample)) == .refused(.outdated)
            )
        }
        #expect(
            try await scheduler.apply(change, to: TransferKey(workID: "nobody", generation: 2)) == .refused(.outdated))
        #expect(try await scheduler.record(id) == before)
        #expect(try await scheduler.events().isEmpty)
    }

    @Test("an outcome that arrives before the run's own end counts, and that end then changes nothing")
    func early() async throws {
        try await scheduler.enqueue("a")
        let work = try await scheduler.claimOne()
        try await scheduler.apply(.outcomeFinal(.succeeded), to: work.record.transferKey, .init(message: "there"))
        try await scheduler.end(work, .handedOff(message: "handed off", expiresAfter: nil))
        #expect(try await scheduler.state(of: "a") == .succeeded)
        #expect(try await scheduler.events().map(\.message) == ["there"])
    }

    @Test("an outcome whose work went back to the queue takes it out again")
    func outcomeOfPending() async throws {
        let id = try await scheduler.item(in: .pending)
        let key = try await scheduler.key(of: id)
        try await scheduler.apply(.outcomeIsThere, to: key)
        #expect(try await scheduler.claim().isEmpty)
        let parked = try await scheduler.read { try $0.records(in: .handedOff).map(\.id) }
        #expect(parked == [id])
        try await scheduler.apply(.outcomeFinal(.succeeded), to: key)
        #expect(try await scheduler.events().map(\.attempt) == [1])
    }

    @Test("a failed hand-off is retried under the next generation, and fails with its last attempt")
    func retried() async throws {
        var request = request
        request.retryPolicy = .tenSeconds(2)
        let key = try await scheduler.key(of: try await scheduler.item(in: .handedOff, request))
        let again = try await scheduler.write {
            try $0.retryHandOff(key, reason: "reset", after: .seconds(3), random: 0.5, now: .start)
        }
        #expect(again == .continues(WorkStatus(state: .pending, generation: 2, attempt: 1, deaths: 0)))
        #expect(try await scheduler.claim(at: .after(.milliseconds(2999))).isEmpty)
        let work = try await scheduler.claimOne(at: .after(.seconds(3)))
        #expect(work.record.status.attempt == 2)
        try await scheduler.end(work, .handedOff(message: nil, expiresAfter: nil))
        let last = try await scheduler.write {
            try $0.retryHandOff(work.record.transferKey, reason: "reset", random: 0.5, now: .start)
        }
        guard case .finishes(_, .failed) = last else {
            Issue.record("\(last)")
            return
        }
        let events = try await scheduler.events()
        #expect(events.map(\.outcome) == [.failed])
        #expect(events.first?.message?.contains("reset") == true)
    }

    @Test("a transfer that the daemon has lost is handed off again, without an attempt")
    func lost() async throws {
        let key = try await scheduler.key(of: try await scheduler.item(in: .handedOff))
        let transition = try await scheduler.apply(.handOffLost, to: key)
        #expect(transition == .continues(WorkStatus(state: .pending, generation: 2, attempt: 0, deaths: 0)))
        #expect(try await scheduler.claimOne().record.transferKey == TransferKey(workID: "item", generation: 2))
    }

    @Test("a file that is being moved is identified by its move, through each step to the end")
    func file() async throws {
        let key = try await scheduler.key(of: try await scheduler.item(in: .handedOff))
        #expect(try await scheduler.apply(.fileMoved, to: key) == .refused(.notApplicable))
        try await scheduler.apply(.fileArrived, to: key, .init(move: .sample))
        var record = try #require(try await scheduler.record("item"))
        #expect(record.status.state == .finishing)
        #expect(record.move == .sample)
        #expect(record.owner == scheduler.owner)
        #expect(try await scheduler.apply(.fileArrived, to: key, .init(move: .sample)) == .refused(.tooLate))
        #expect(try await scheduler.apply(.outcomeFinal(.succeeded), to: key) == .refused(.tooLate))
        var redirected = FileMove.sample
        redirected.targetPath = "/target/file 2"
        try await scheduler.apply(.fileRedirected, to: key, .init(move: redirected))
        record = try #require(try await scheduler.record("item"))
        #expect(record.move == redirected)
        #expect(try await scheduler.read { try $0.records(in: .finishing).map(\.id) } == ["item"])
        try await scheduler.apply(.fileMoved, to: key, .init(outputJSON: "1"))
        #expect(try await scheduler.events().map(\.outputJSON) == ["1"])
        #expect(try await scheduler.state(of: "item") == .succeeded)
    }

    @Test("a hand-off without an outcome in time is retried under the next generation, and its transfer is cancelled")
    func expired() async throws {
        try await scheduler.enqueue(
            "a", TaskRequest(workerClassName: "Transfer", retryPolicy: .tenSeconds()))
        let work = try await scheduler.claimOne()
        try await scheduler.end(work, .handedOff(message: "sent", expiresAfter: .seconds(60)))
        let early = try await scheduler.look(scheduler.rules(at: .after(.milliseconds(59_999))))
        #expect(early.claim?.nextClaim == .after(.seconds(60)))
        #expect(try await scheduler.state(of: "a") == .handedOff)
        try await scheduler.look(scheduler.rules(at: .after(.seconds(60))))
        let record = try #require(try await scheduler.record("a"))
        #expect(record.status == WorkStatus(state: .pending, generation: 2, attempt: 1, deaths: 0))
        #expect(record.due == .after(.seconds(70)))
        #expect(try await scheduler.outbox() == [work.record.transferKey])
        #expect(try await scheduler.events().isEmpty)
        #expect(
            try await scheduler.apply(.outcomeFinal(.succeeded), to: work.record.transferKey) == .refused(.outdated))
    }

    @Test("the pause of a transfer lasts over generations, until the work has ended")
    func held() async throws {
        let id = try await scheduler.item(in: .handedOff, request)
        let first = try await scheduler.key(of: id)
        #expect(try await scheduler.write { try $0.hold(true, transferOf: id)?.status.state } == .handedOff)
        #expect(try await scheduler.read { try $0.holdsTransfer(of: id) })
        _ = try await scheduler.write { try $0.retryHandOff(first, reason: "lost", random: 0.5, now: .start) }
        #expect(try await scheduler.read { try $0.holdsTransfer(of: id) })
        _ = try await scheduler.write { try $0.hold(false, transferOf: id) }
        #expect(try await !scheduler.read { try $0.holdsTransfer(of: id) })
        #expect(try await scheduler.write { try $0.hold(true, transferOf: "nobody") } == nil)
        try await scheduler.end(try await scheduler.claimOne(at: .after(.seconds(10))), .success)
        _ = try await scheduler.write { try $0.hold(true, transferOf: id) }
        #expect(try await !scheduler.read { try $0.holdsTransfer(of: id) })
    }
}
