import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWorkStorage

/// What the store promises about deadlines and windows.
struct ExpiryConformanceTests {
    private let scheduler: StoreScheduler

    init() async throws { scheduler = try await StoreUnderTest().scheduler() }

    private let limited = TaskRequest(
        workerClassName: "W", retryPolicy: .tenSeconds(), deadline: WallTime.after(.seconds(60)).date)
    private let window = TaskTrigger.windowed(earliest: WallTime.start.date, latest: WallTime.after(.seconds(60)).date)

    @Test(
        "work that has not started by its deadline is skipped by the next claim pass, also when no slot is free",
        arguments: [0, 100])
    func deadline(limit: Int) async throws {
        try await scheduler.enqueue("a", limited)
        let early = try await scheduler.look(scheduler.rules(limit: 0, at: .after(.milliseconds(59_999))))
        #expect(early.claim?.nextClaim == .after(.seconds(60)))
        #expect(try await scheduler.state(of: "a") == .pending)
        let late = try await scheduler.look(scheduler.rules(limit: limit, at: .after(.seconds(60))))
        #expect(late.claimed.isEmpty)
        #expect(late.events.map(\.outcome) == [.skipped])
        #expect(late.events.first?.message?.contains("deadline") == true)
        #expect(try await scheduler.state(of: "a") == .skipped)
    }

    @Test("work whose window has ended before it began is skipped")
    func windowEnds() async throws {
        try await scheduler.enqueue("a", trigger: window)
        #expect(try await scheduler.claim(at: .after(.seconds(60))).isEmpty)
        let event = try #require(try await scheduler.events().first)
        #expect(event.outcome == .skipped)
        #expect(event.message?.contains("window") == true)
    }

    @Test("a window applies to the first attempt only")
    func windowOfRetry() async throws {
        try await scheduler.enqueue("a", TaskRequest(workerClassName: "W", retryPolicy: .tenSeconds()), trigger: window)
        let first = try await scheduler.claimOne(at: .after(.milliseconds(59_999)))
        try await scheduler.end(first, .tryAgain("busy"), at: .after(.seconds(60)))
        #expect(try await scheduler.claimOne(at: .after(.seconds(70))).record.status.attempt == 2)
    }

    @Test("a deadline counts between two attempts, too")
    func deadlineOfRetry() async throws {
        try await scheduler.enqueue("a", limited)
        try await scheduler.end(try await scheduler.claimOne(), .tryAgain("busy"), at: .after(.seconds(55)))
        #expect(try await scheduler.claim(at: .after(.seconds(65))).isEmpty)
        #expect(try await scheduler.events().map(\.outcome) == [.skipped])
    }

    @Test("a deadline counts while a member waits for the step before, and what follows is skipped with it")
    func blocked() async throws {
        try await scheduler.enqueue(chain: "c", [[.plain], [limited], [.plain]])
        let first = try await scheduler.claimOne()
        try await scheduler.look(scheduler.rules(at: .after(.seconds(60))))
        #expect(try await scheduler.states(ofChain: "c") == [.running, .skipped, .skipped])
        try await scheduler.end(first, .success)
        #expect(try await scheduler.states(ofChain: "c") == [.succeeded, .skipped, .skipped])
        #expect(try await scheduler.claim(at: .after(.seconds(60))).isEmpty)
    }

    @Test("the store does not end running work when its deadline passes")
    func running() async throws {
        try await scheduler.enqueue("a", limited)
        let work = try await scheduler.claimOne()
        try await scheduler.look(scheduler.rules(at: .after(.seconds(61))))
        #expect(try await scheduler.state(of: "a") == .running)
        try await scheduler.end(work, .success)
        #expect(try await scheduler.state(of: "a") == .succeeded)
    }

    @Test("a hand-off without an outcome by the deadline fails")
    func handedOff() async throws {
        try await scheduler.enqueue("a", limited)
        let work = try await scheduler.claimOne()
        try await scheduler.end(work, .handedOff(message: nil, expiresAfter: .seconds(600)))
        try await scheduler.look(scheduler.rules(at: .after(.seconds(60))))
        let event = try #require(try await scheduler.events().first)
        #expect(event.outcome == .failed)
        #expect(event.message?.contains("deadline") == true)
        #expect(
            try await scheduler.apply(.outcomeFinal(.succeeded), to: work.record.transferKey)
                == .refused(.alreadyFinished))
    }

    @Test("many items that expire together are all ended, in as many claim passes as needed")
    func many() async throws {
        let (scheduler, limited) = (scheduler, limited)
        try await scheduler.write { transaction in
            for number in 0..<600 {
                _ = try transaction.enqueue(TaskSubmission(limited), id: "w\(number)", now: .start)
            }
        }
        let now = WallTime.after(.seconds(60))
        var looks = 0
        while case let look = try await scheduler.look(scheduler.rules(at: now)), looks < 600 {
            #expect(look.claimed.isEmpty)
            looks += 1
            if look.claim?.nextClaim != now { break }
        }
        #expect(try await scheduler.ids(WorkQuery(states: [.skipped])).count == 600)
        #expect(try await scheduler.events().count == 600)
    }
}
