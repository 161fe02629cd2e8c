import BackgroundWorkModel
import Foundation
import TestSupport
import Testing

@testable import BackgroundWork

/// The largest and farthest values that are accepted.
/// One after the other: each case opens a scheduler, and a process has only so many descriptors.
@Suite(.serialized)
struct BoundaryValueTests {
    var fixture: SchedulerFixture

    init() throws { fixture = try SchedulerFixture() }

    @Test("an id of 10,240 bytes is taken, for a request and for a chain")
    mutating func longID() async throws {
        let scheduler = try await fixture.start()
        let id = String(repeating: "🚚", count: 2560)
        #expect(id.utf8.count == 10_240)
        let request = TaskRequest(workerClassName: "W", tags: [String(repeating: "t", count: 1024)])
        try await scheduler.enqueue(request, id: id, trigger: .oneTime(delay: .seconds(1)))
        #expect(try await scheduler.infos(matching: WorkQuery(ids: [id])).map(\.id) == [id])
        let chainID = String(repeating: "\0", count: 10_240)
        try await scheduler.beginWith(request).then(request).enqueue(id: chainID)
        #expect(try await scheduler.infos(chainID: chainID).map(\.id) == [chainID + "/0.0", chainID + "/1.0"])
        #expect(try await scheduler.cancel(id: id) == .cancelled(items: 1))
        await scheduler.shutdown()
    }

    @Test("an input of exactly 10 MB reaches its worker whole")
    mutating func largestInput() async throws {
        let inputs = Recorder<String?>()
        try fixture.workers.register("Large") { input, _ in
            inputs.add(input)
            return .success()
        }
        let scheduler = try await fixture.start()
        let input = "\"" + String(repeating: "é", count: 4_999_999) + "\""
        #expect(input.utf8.count == 10_000_000)
        try await scheduler.enqueue(TaskRequest(workerClassName: "Large", inputJSON: input), id: "large")
        await scheduler.waitUntilIdle()
        #expect(inputs.values.first.map { Array(($0 ?? "").utf8) == Array(input.utf8) } == true)
        #expect(try await scheduler.info(id: "large")?.state == .succeeded)
        await scheduler.shutdown()
    }

    @Test("dates that lie far back are due at once, and a deadline in the distant future never comes")
    mutating func farDates() async throws {
        try fixture.workers.register("W") { _, _ in .success() }
        let scheduler = try await fixture.start()
        var request = TaskRequest(workerClassName: "W")
        request.deadline = .distantFuture
        let past = Date(timeIntervalSince1970: -Double.greatestFiniteMagnitude)
        let triggers: [TaskTrigger] = [
            .exact(.distantPast), .exact(past),
            .windowed(earliest: past, latest: fixture.clock.now.addingTimeInterval(1)),
        ]
        for (index, trigger) in triggers.enumerated() {
            try await scheduler.enqueue(request, id: "\(index)", trigger: trigger)
        }
        try await scheduler.enqueue(request, id: "late", trigger: .windowed(earliest: past, latest: .distantPast))
        await scheduler.waitUntilIdle()
        let states = try await scheduler.infos(matching: WorkQuery()).map(\.state)
        #expect(states == [.succeeded, .succeeded, .succeeded, .skipped])
        await scheduler.shutdown()
    }

    @Test("the largest integer is accepted as a number of slots")
    mutating func countlessSlots() async throws {
        try fixture.workers.register("W") { _, _ in .success() }
        let scheduler = try await fixture.start { $0.maximumConcurrentWork = .max }
        for round in 0..<3 {
            let submissions = (0..<20).map { index in
                var request = TaskRequest(workerClassName: "W")
                request.priority = WorkPriority.allCases[index % 4]
                return TaskSubmission(request, id: "\(round).\(index)")
            }
            try await scheduler.enqueue(contentsOf: submissions)
            await scheduler.waitUntilIdle()
        }
        #expect(try await scheduler.infos(matching: WorkQuery(states: [.succeeded])).count == 60)
        await scheduler.shutdown()
    }

    @Test("a wait without an upper bound does not overflow")
    mutating func boundlessBackoff() async throws {
        try fixture.workers.register("Retries") { _, _ in .retry(reason: "not yet") }
        let scheduler = try await fixture.start { $0.random = { 1 } }
        let year = Duration.seconds(366 * 86_400)
        let policy = RetryPolicy.exponential(
            initialDelay: year * 50, maximumDelay: .seconds(Int64.max), maximumAttempts: .max, jitter: 1)
        try await scheduler.enqueue(TaskRequest(workerClassName: "Retries", retryPolicy: policy), id: "r")
        for _ in 0..<70 {
            await scheduler.waitUntilIdle()
            let info = try #require(try await scheduler.info(id: "r"))
            #expect(try #require(info.due).timeIntervalSince(fixture.clock.now) <= 100 * 366 * 86_400)
            fixture.clock.advance(by: year * 100)
        }
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.info(id: "r")?.state == .pending)
        await scheduler.shutdown()
    }
}
