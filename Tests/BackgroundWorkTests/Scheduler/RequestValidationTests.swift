import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWork

/// Invalid requests: each is rejected with its own error, and nothing is stored.
/// One after the other: each case opens a scheduler, and a process has only so many descriptors.
@Suite(.serialized)
struct RequestValidationTests {
    private let refusal: EnqueueRefusal
    private var scheduler: WorkScheduler { refusal.scheduler }
    private var request: TaskRequest { refusal.request }

    init() throws { refusal = try EnqueueRefusal() }

    @Test("input over 10 MB is rejected with its size and the limit")
    func largeInput() async throws {
        var large = request
        large.inputJSON = "\"" + String(repeating: "a", count: 9_999_999) + "\""
        try await refusal.expect(
            .inputTooLarge(workerClassName: "SyncWorker", bytes: 10_000_001, limit: 10_000_000),
            saying: "SyncWorker", "10000001", "10000000", "in a file"
        ) { try await scheduler.enqueue(large) }
    }

    @Test(
        "input that is not valid JSON is rejected with the reason",
        arguments: [
            "", " ", "{", "[1,]", "{\"a\" 1}", "nul", "'a'", "01", "1.", "\"\u{1}\"", "\"\\x\"", "\"a", "{} {}",
            "NaN", "\u{feff}{}", "\"\0\"", String(repeating: "[", count: 600) + String(repeating: "]", count: 600),
        ])
    func malformedInput(input: String) async throws {
        var malformed = request
        malformed.inputJSON = input
        let reason = try #require(JSONSyntax.complaint(about: input))
        try await refusal.expect(
            .malformedInput(workerClassName: "SyncWorker", reason: reason),
            saying: "SyncWorker", reason, "Nothing was enqueued"
        ) { try await scheduler.enqueue(malformed) }
    }

    @Test("an empty worker's name is rejected")
    func emptyWorkerName() async throws {
        try await refusal.expect(.emptyWorkerName, saying: "workerClassName", "Give the name") {
            try await scheduler.enqueue(TaskRequest(workerClassName: ""))
        }
    }

    @Test("a tag or a queue without a name, or with one of 2 kB, is rejected", arguments: [0, 1025, 2048])
    func labels(bytes: Int) async throws {
        let label = String(repeating: "x", count: bytes)
        let words = bytes == 0 ? ["is empty", "or leave it out"] : ["\(bytes) bytes", "limit is 1024 bytes"]
        var queued = request
        queued.queue = label
        let queueError = EnqueueError.invalidLabel(kind: "queue", bytes: bytes, limit: 1024)
        await #expect(throws: queueError) { try await scheduler.enqueue(queued) }
        #expect(queueError.description.contains("queue"))
        var tagged = request
        tagged.tags = ["fine", label]
        try await refusal.expect(
            .invalidLabel(kind: "tag", bytes: bytes, limit: 1024), saying: "tag", words[0], words[1]
        ) { try await scheduler.enqueue(tagged) }
    }

    @Test(
        "a timeout that is not above zero, or beyond the calendar, is rejected",
        arguments: [Duration.zero, .seconds(-1), .seconds(Int64.max)])
    func timeouts(timeout: Duration) async throws {
        var timed = request
        timed.timeout = timeout
        try await refusal.expect(
            .invalidTimeout(workerClassName: "SyncWorker", timeout),
            saying: "SyncWorker", "\(timeout)", "more than zero"
        ) { try await scheduler.enqueue(timed) }
    }

    @Test(
        "a retry policy that contradicts itself is rejected with the number that is wrong",
        arguments: [
            (RetryPolicy.exponential(initialDelay: .seconds(-1)), "initialDelay is negative"),
            (.linear(initialDelay: .seconds(10), maximumDelay: .seconds(9)), "maximumDelay is shorter"),
            (.linear(maximumAttempts: 0), "maximumAttempts is below 1"),
            (.linear(jitter: 1.5), "jitter is not between 0 and 1"),
            (.linear(jitter: -0.1), "jitter is not between 0 and 1"),
            (.linear(jitter: .nan), "jitter is not between 0 and 1"),
            (
                .linear(initialDelay: .seconds(Int64.max), maximumDelay: .seconds(Int64.max)),
                "initialDelay is longer than 100 years"
            ),
        ])
    func retryPolicies(policy: RetryPolicy, words: String) async throws {
        var request = request
        request.retryPolicy = policy
        let reason = try #require(policy.complaint)
        try await refusal.expect(
            .invalidRetryPolicy(workerClassName: "SyncWorker", reason: reason), saying: "SyncWorker", words
        ) { try await scheduler.enqueue(request) }
    }

    @Test(
        "a deadline that no calendar has is rejected with the worker's name",
        arguments: TriggerValidationTests.impossibleDates)
    func deadlines(seconds: Double) async throws {
        let date = Date(timeIntervalSince1970: seconds)
        var hopeless = request
        hopeless.deadline = date
        await #expect(throws: EnqueueError.invalidDeadline(workerClassName: "SyncWorker")) {
            try await scheduler.beginWith(request).then(hopeless).enqueue()
        }
        try await refusal.expect(
            .invalidDeadline(workerClassName: "SyncWorker"), saying: "SyncWorker", "year 10000", "or none"
        ) { try await scheduler.enqueue(hopeless) }
    }

    @Test("an id that is empty or too long is rejected, for requests and chains", arguments: [0, 10_241])
    func ids(bytes: Int) async throws {
        let id = String(repeating: "x", count: bytes)
        let words = bytes == 0 ? "Leave it out" : "limit is 10240 bytes"
        await #expect(throws: EnqueueError.invalidID(bytes: bytes, limit: 10_240)) {
            try await scheduler.beginWith(request).enqueue(id: id)
        }
        try await refusal.expect(.invalidID(bytes: bytes, limit: 10_240), saying: "id", words) {
            try await scheduler.enqueue(request, id: id)
        }
    }

    @Test("nothing is accepted after a shutdown")
    func afterShutdown() async throws {
        await scheduler.shutdown()
        await #expect(throws: EnqueueError.shuttingDown) { try await scheduler.beginWith(request).enqueue() }
        await #expect(throws: EnqueueError.shuttingDown) {
            try await scheduler.enqueue(contentsOf: [TaskSubmission(request)])
        }
        try await refusal.expect(.shuttingDown, saying: "shutting down", "Open another") {
            try await scheduler.enqueue(request)
        }
    }

    @Test("a deadline that has passed is an answer, not an error, and nothing is stored")
    func passedDeadlines() async throws {
        for date in [refusal.fixture.clock.now, refusal.fixture.clock.now.addingTimeInterval(-1), .distantPast] {
            var late = request
            late.deadline = date
            #expect(try await scheduler.enqueue(late, id: "late") == .deadlineAlreadyPassed)
            #expect(
                try await scheduler.beginWith(request).then(late).enqueue(id: "c") == .deadlineAlreadyPassed)
            let results = try await scheduler.enqueue(
                contentsOf: [TaskSubmission(late, id: "late"), TaskSubmission(late, id: "late")])
            #expect(results == [.deadlineAlreadyPassed, .deadlineAlreadyPassed])
        }
        #expect(try await scheduler.infos(matching: WorkQuery()).isEmpty)
        await scheduler.shutdown()
    }
}
