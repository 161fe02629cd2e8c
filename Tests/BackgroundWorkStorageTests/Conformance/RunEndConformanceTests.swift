import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWorkStorage

/// What the store promises about the ends of runs.
struct RunEndConformanceTests {
    private let store: StoreUnderTest
    private let scheduler: StoreScheduler

    init() async throws {
        store = try StoreUnderTest()
        scheduler = try await store.scheduler()
    }

    private let request = TaskRequest(
        workerClassName: "W", retryPolicy: .tenSeconds(), metadata: ["key": "value"])

    /// What an end makes of an item at its first attempt.
    struct Rule: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var ending: RunEnding
        var state: WorkState
        var attempt = 1
        var due = Duration.zero
        var message: String?
    }

    static let rules = [
        Rule(testDescription: "success", ending: .success, state: .succeeded),
        Rule(testDescription: "failure", ending: .failed("broken"), state: .failed, message: "broken"),
        Rule(
            testDescription: "retry by the policy", ending: .tryAgain("busy"), state: .pending, due: .seconds(11),
            message: "busy"),
        Rule(
            testDescription: "retry after the worker's own wait",
            ending: .retry(reason: "busy", after: .seconds(3), attemptCap: nil), state: .pending, due: .seconds(4),
            message: "busy"),
        Rule(
            testDescription: "retry beyond the worker's own cap",
            ending: .retry(reason: "busy", after: nil, attemptCap: 1), state: .failed, message: "busy"),
        Rule(
            testDescription: "snooze", ending: .snooze(.seconds(4), reason: "not yet"), state: .pending, attempt: 0,
            due: .seconds(5), message: "not yet"),
        Rule(
            testDescription: "hand-off", ending: .handedOff(message: "sent", expiresAfter: nil), state: .handedOff,
            message: "sent"),
        Rule(
            testDescription: "stop", ending: .stopped(message: "stopped"), state: .pending, attempt: 0,
            message: "stopped"),
    ]

    @Test("each end leads to its state, and a final one has one event", arguments: rules)
    func ending(rule: Rule) async throws {
        try await scheduler.enqueue("a", request)
        try await scheduler.end(try await scheduler.claimOne(), rule.ending, at: .after(.seconds(1)))
        let record = try #require(try await scheduler.record("a"))
        #expect(record.status == WorkStatus(state: rule.state, generation: 1, attempt: rule.attempt, deaths: 0))
        #expect(record.message == rule.message)
        #expect(record.owner == nil)
        if rule.state == .pending { #expect(record.due == .after(rule.due)) }
        let events = try await scheduler.events()
        #expect(events.count == (rule.state.isFinished ? 1 : 0))
        #expect(events.first?.outcome == rule.state.outcome)
        let next = try await scheduler.claim(at: .after(max(rule.due, .seconds(1))))
        #expect(next.map(\.record.status.attempt) == (rule.state == .pending ? [rule.attempt + 1] : []))
    }

    @Test("the event says what the run was and how it ended")
    func event() async throws {
        try await scheduler.enqueue("a", request)
        let work = try await scheduler.claimOne(at: .after(.seconds(1)))
        let ending = RunEnding.finished(.succeeded, message: "done", outputJSON: "{\"n\":1}")
        try await scheduler.end(work, ending, at: .after(.seconds(2)))
        let event = try #require(try await scheduler.events().first)
        #expect(event.workID == "a")
        #expect(event.taskName == "W")
        #expect(event.chainID == nil)
        #expect(event.attempt == 1)
        #expect(event.outcome == .succeeded)
        #expect(event.message == "done")
        #expect(event.outputJSON == "{\"n\":1}")
        #expect(event.metadata == ["key": "value"])
        #expect(event.startedAt == WallTime.after(.seconds(1)).date)
        #expect(event.finishedAt == WallTime.after(.seconds(2)).date)
        #expect(event.duration == .milliseconds(7))
        let record = try #require(try await scheduler.record("a"))
        #expect(record.outputJSON == "{\"n\":1}")
        #expect(record.finishedAt == .after(.seconds(2)))
    }

    @Test("the waits between attempts grow as the policy says, and the last attempt fails with the reason")
    func exhausted() async throws {
        var request = request
        request.retryPolicy = .tenSeconds(3)
        try await scheduler.enqueue("a", request)
        var now = WallTime.start
        for (attempt, wait) in [(1, 10), (2, 20)] {
            try await scheduler.end(try await scheduler.claimOne(at: now), .tryAgain("busy"), at: now)
            now = now.advanced(byMs: Int64(wait) * 1000)
            let record = try #require(try await scheduler.record("a"))
            #expect(record.due == now)
            #expect(record.status.attempt == attempt)
        }
        try await scheduler.end(try await scheduler.claimOne(at: now), .tryAgain("busy"), at: now)
        let event = try #require(try await scheduler.events().first)
        #expect(event.outcome == .failed)
        #expect(event.attempt == 3)
        #expect(event.message?.contains("busy") == true)
        #expect(event.message?.contains("3 attempts") == true)
    }

    /// What may have happened to an item during a run of it.
    enum Meanwhile: CaseIterable { case cancelled, replaced, putBack, takenByAnother, outcomeArrived }

    static let endings: [RunEnding] = [
        .success, .failed("late"), .tryAgain("late"), .handedOff(message: "late", expiresAfter: nil),
        .stopped(message: "late"),
    ]

    @Test(
        "the end of a run that is no longer the current one changes nothing", arguments: Meanwhile.allCases, endings)
    func outdated(meanwhile: Meanwhile, ending: RunEnding) async throws {
        try await scheduler.enqueue("a", request)
        let work = try await scheduler.claimOne()
        let key = work.record.runKey
        let owner = scheduler.owner
        switch meanwhile {
        case .cancelled: try await scheduler.write { _ = try $0.cancel(id: "a", now: .start) }
        case .replaced: try await scheduler.enqueue("a", .input("2"))
        case .putBack, .takenByAnother:
            try await scheduler.write { try $0.putBack([key], owner: owner, hasBegun: true, now: .start) }
        case .outcomeArrived: try await scheduler.apply(.outcomeFinal(.succeeded), to: work.record.transferKey)
        }
        if meanwhile == .takenByAnother { _ = try await store.scheduler().claimOne() }
        let before = try await scheduler.record("a")
        let events = try await scheduler.events().count
        try await scheduler.end(work, ending)
        #expect(try await scheduler.record("a") == before)
        #expect(try await scheduler.events().count == events)
    }

    @Test(
        "each of many runs that end in one transaction has one event, and work cancelled meanwhile gets no second one")
    func together() async throws {
        for number in 0..<100 { try await scheduler.enqueue("w\(number)", request) }
        let works = try await scheduler.claim()
        for id in ["w0", "w41", "w42", "w99"] { try await scheduler.write { _ = try $0.cancel(id: id, now: .start) } }
        try await scheduler.end(works, .output("1"))
        let events = try await scheduler.events()
        #expect(events.map(\.sequence) == Array(1...100))
        #expect(Set(events.map(\.workID)).count == 100)
        #expect(events.filter { $0.outcome == .cancelled }.map(\.workID) == ["w0", "w41", "w42", "w99"])
        #expect(try await scheduler.ids(WorkQuery(states: [.succeeded])).count == 96)
        #expect(try await scheduler.claim().isEmpty)
    }

    // MARK: What a run enqueues

    private func submissions(_ id: String) -> RunSubmissions {
        var submissions = RunSubmissions()
        submissions.add(TaskSubmission(.input("2")), id: id)
        submissions.add(ChainSteps([[.plain], [.plain]]), id: "c", policy: .replace)
        return submissions
    }

    @Test("what a run enqueues is stored with its success, also under its own id", arguments: ["a", "b"])
    func submitted(id: String) async throws {
        try await scheduler.enqueue("a", request)
        try await scheduler.end(try await scheduler.claimOne(), .success, submitting: submissions(id))
        #expect(try await scheduler.record(id)?.inputJSON == "2")
        #expect(try await scheduler.state(of: id) == .pending)
        #expect(try await scheduler.states(ofChain: "c") == [.pending, .blocked])
        #expect(try await scheduler.events().map(\.outcome) == [.succeeded])
    }

    @Test("without a success, what a run enqueues is not stored", arguments: endings.dropFirst())
    func notSubmitted(ending: RunEnding) async throws {
        try await scheduler.enqueue("a", request)
        try await scheduler.end(try await scheduler.claimOne(), ending, submitting: submissions("b"))
        #expect(try await scheduler.ids() == ["a"])
    }

    @Test("a run that enqueues under an id in use fails with that reason, and nothing that it enqueued is stored")
    func refusedSubmission() async throws {
        try await scheduler.enqueue("a", request)
        let work = try await scheduler.claimOne()
        try await scheduler.enqueue("c")
        try await scheduler.end(work, .success, submitting: submissions("b"))
        #expect(try await scheduler.ids() == ["a", "c"])
        let events = try await scheduler.events()
        #expect(events.map(\.outcome) == [.failed])
        #expect(events.first?.message?.contains("\"c\"") == true)
    }

    // MARK: What a run leaves for the next attempt

    @Test("a checkpoint is read by the next attempt, and removed at the end; only the current run saves one")
    func checkpoint() async throws {
        try await scheduler.enqueue("a", request)
        let work = try await scheduler.claimOne()
        let (key, owner) = (work.record.runKey, scheduler.owner)
        let outdated = RunKey(sequence: key.sequence, generation: key.generation + 1)
        #expect(try await scheduler.write { try $0.saveCheckpoint("1", of: key, owner: owner) })
        #expect(try await !scheduler.write { try $0.saveCheckpoint("2", of: key, owner: owner + 1) })
        #expect(try await !scheduler.write { try $0.saveCheckpoint("3", of: outdated, owner: owner) })
        try await scheduler.end(work, .tryAgain("busy"))
        #expect(try await !scheduler.write { try $0.saveCheckpoint("4", of: key, owner: owner) })
        let next = try await scheduler.claimOne(at: .after(.seconds(10)))
        #expect(next.record.checkpoint == "1")
        try await scheduler.end(next, .success)
        #expect(try await scheduler.record("a")?.checkpoint == nil)
    }

    @Test("the progress of the current run is kept, and not that of an earlier generation")
    func progress() async throws {
        try await scheduler.enqueue("a", request)
        let key = try await scheduler.claimOne().record.runKey
        let half = WorkerProgress(fraction: 0.5, message: "half")
        try await scheduler.write { try $0.saveProgress(half, of: key) }
        let outdated = RunKey(sequence: key.sequence, generation: key.generation + 1)
        try await scheduler.write { try $0.saveProgress(WorkerProgress(fraction: 1), of: outdated) }
        #expect(try await scheduler.record("a")?.progress == half)
    }
}
