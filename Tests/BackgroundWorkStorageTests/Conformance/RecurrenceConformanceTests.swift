import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWorkStorage

/// What the store promises about work that recurs.
struct RecurrenceConformanceTests {
    private let scheduler: StoreScheduler

    init() async throws { scheduler = try await StoreUnderTest().scheduler() }

    private let everyMinute = TaskTrigger.periodic(interval: .seconds(60))

    @Test("each occurrence has its event, and with that the next one waits for its time", arguments: [true, false])
    func occurrences(succeeds: Bool) async throws {
        try await scheduler.enqueue("p", trigger: everyMinute)
        for occurrence in 0..<3 {
            let now = WallTime.after(.seconds(60 * occurrence))
            let work = try await scheduler.claimOne(at: now)
            let (key, owner) = (work.record.runKey, scheduler.owner)
            #expect(work.record.occurrence == occurrence)
            #expect(work.record.checkpoint == nil)
            #expect(try await scheduler.write { try $0.saveCheckpoint("1", of: key, owner: owner) })
            try await scheduler.end(work, succeeds ? .success : .failed("broken"), at: now.advanced(byMs: 5000))
            let record = try #require(try await scheduler.record("p"))
            #expect(
                record.status
                    == WorkStatus(state: .pending, generation: Int64(occurrence) + 2, attempt: 0, deaths: 0))
            #expect(record.due == now.advanced(byMs: 60_000))
            #expect(try await scheduler.claim(at: now.advanced(byMs: 59_999)).isEmpty)
        }
        let events = try await scheduler.events()
        #expect(events.map(\.occurrence) == [0, 1, 2])
        #expect(events.allSatisfy { $0.workID == "p" && $0.success == succeeds })
    }

    @Test("occurrences that were missed are made up once, and the next one is on its planned time again")
    func missed() async throws {
        try await scheduler.enqueue("p", trigger: everyMinute)
        let now = WallTime.after(.seconds(200))
        try await scheduler.end(try await scheduler.claimOne(at: now), .success, at: now)
        #expect(try await scheduler.record("p")?.due == .after(.seconds(240)))
        #expect(try await scheduler.claim(at: now).isEmpty)
    }

    @Test("a retry belongs to its occurrence, and leaves the next one where it was planned")
    func retried() async throws {
        try await scheduler.enqueue(
            "p", TaskRequest(workerClassName: "W", retryPolicy: .tenSeconds()), trigger: everyMinute)
        try await scheduler.end(try await scheduler.claimOne(), .tryAgain("busy"))
        let again = try await scheduler.claimOne(at: .after(.seconds(10)))
        #expect(again.record.occurrence == 0)
        #expect(again.record.status.attempt == 2)
        try await scheduler.end(again, .success, at: .after(.seconds(11)))
        #expect(try await scheduler.record("p")?.due == .after(.seconds(60)))
    }

    @Test("a cancellation ends the recurrence")
    func cancelled() async throws {
        try await scheduler.enqueue("p", trigger: everyMinute)
        #expect(try await scheduler.write { try $0.cancel(id: "p", now: .start) } == .cancelled(items: 1))
        #expect(try await scheduler.state(of: "p") == .cancelled)
        #expect(try await scheduler.claim(at: .after(.seconds(600))).isEmpty)
    }

    @Test("recurring work ends with the last occurrence before its deadline")
    func deadline() async throws {
        let request = TaskRequest(workerClassName: "W", deadline: WallTime.after(.seconds(100)).date)
        try await scheduler.enqueue("p", request, trigger: everyMinute)
        for seconds in [0, 60] {
            let now = WallTime.after(.seconds(seconds))
            try await scheduler.end(try await scheduler.claimOne(at: now), .success, at: now)
        }
        #expect(try await scheduler.state(of: "p") == .succeeded)
        #expect(try await scheduler.events().map(\.outcome) == [.succeeded, .succeeded])
        #expect(try await scheduler.claim(at: .after(.seconds(600))).isEmpty)
    }
}
