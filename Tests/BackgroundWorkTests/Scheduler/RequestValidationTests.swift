import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWork

/// What nobody should enqueue: each is refused by a name of its own, with words that help, and nothing of it stays.
/// One after the other: each case opens a scheduler, and a process has only so many descriptors.
@Suite(.serialized)
struct RequestValidationTests {
    let fixture: SchedulerFixture
    let scheduler: WorkScheduler

    init() throws {
        let fixture = try SchedulerFixture()
        self.fixture = fixture
        scheduler = try fixture.open { $0.clock = fixture.clock }
    }

    let request = TaskRequest(workerClassName: "SyncWorker")

    /// Expects a refusal whose description has these words, and an empty database.
    private func refuses(
        _ expected: EnqueueError, saying words: String..., sourceLocation: SourceLocation = #_sourceLocation,
        _ enqueue: () async throws -> ScheduleResult
    ) async throws {
        let error = await #expect(throws: EnqueueError.self, sourceLocation: sourceLocation) { try await enqueue() }
        #expect(error == expected, sourceLocation: sourceLocation)
        let description = error?.description ?? ""
        for word in words {
            #expect(description.contains(word), "\(description)", sourceLocation: sourceLocation)
        }
        let stored = try await scheduler.infos(matching: WorkQuery())
        #expect(stored.isEmpty, sourceLocation: sourceLocation)
        await scheduler.shutdown()
    }

    /// Negative, beyond the calendar, and where whole seconds fit into milliseconds but not the rest of them.
    static let impossibleDelays: [Duration] = [
        .seconds(-1), .nanoseconds(-1), .seconds(Int64.max), .seconds(101 * 366 * 86_400),
        Duration(secondsComponent: Int64.max / 1000, attosecondsComponent: 999_000_000_000_000_000),
    ]

    @Test("an impossible delay is refused, wherever it is", arguments: impossibleDelays)
    func delays(delay: Duration) async throws {
        var delayed = request
        delayed.delay = delay
        let triggers: [TaskTrigger] = [
            .oneTime(delay: delay), .periodic(interval: .seconds(60), initialDelay: delay),
            .fileChanged(path: "/tmp/x", debounce: delay),
        ]
        for trigger in triggers {
            await #expect(throws: EnqueueError.invalidDelay(delay)) {
                try await scheduler.enqueue(request, trigger: trigger)
            }
        }
        await #expect(throws: EnqueueError.invalidDelay(delay)) {
            try await scheduler.beginWith(request).then(delayed).enqueue(id: "c")
        }
        try await refuses(.invalidDelay(delay), saying: "\(delay)", "at most 100 years") {
            try await scheduler.enqueue(delayed)
        }
    }

    @Test(
        "an interval below a second is refused with the minimum",
        arguments: [Duration.zero, .milliseconds(999), .seconds(-60)])
    func shortIntervals(interval: Duration) async throws {
        try await refuses(
            .intervalTooShort(interval, minimum: .seconds(1)), saying: "\(interval)", "1.0 seconds"
        ) { try await scheduler.enqueue(request, trigger: .periodic(interval: interval)) }
    }

    @Test(
        "an interval beyond the calendar is refused",
        arguments: [
            Duration.seconds(Int64.max),
            Duration(secondsComponent: Int64.max / 1000, attosecondsComponent: 999_000_000_000_000_000),
        ])
    func longIntervals(interval: Duration) async throws {
        try await refuses(.invalidDelay(interval), saying: "\(interval)", "at most 100 years") {
            try await scheduler.enqueue(request, trigger: .periodic(interval: interval))
        }
    }

    @Test(
        "a flex that is negative or longer than the interval is refused",
        arguments: [Duration.nanoseconds(-1), .seconds(61), .seconds(Int64.max)])
    func flex(flex: Duration) async throws {
        try await refuses(
            .invalidFlex(flex, interval: .seconds(60)), saying: "\(flex)", "at most the interval", "60.0 seconds"
        ) { try await scheduler.enqueue(request, trigger: .periodic(interval: .seconds(60), flex: flex)) }
    }

    @Test("a window that ends before it begins, or at once, is refused", arguments: [0.0, -1])
    func windows(length: TimeInterval) async throws {
        let start = fixture.clock.now.addingTimeInterval(10)
        try await refuses(.emptyWindow, saying: "window", "after the earliest") {
            try await scheduler.enqueue(
                request, trigger: .windowed(earliest: start, latest: start.addingTimeInterval(length)))
        }
    }

    /// Seconds since 1970: a date made of the first could not even be shown as an argument.
    static let impossibleDates = [Double.nan, .infinity, -.infinity, 98_000 * 365.25 * 86_400]

    @Test("a date that no calendar has is refused, in every place", arguments: impossibleDates)
    func dates(seconds: Double) async throws {
        let date = Date(timeIntervalSince1970: seconds)
        let now = fixture.clock.now
        let triggers: [TaskTrigger] = [
            .exact(date), .windowed(earliest: date, latest: now), .windowed(earliest: now, latest: date),
        ]
        for trigger in triggers.dropFirst() {
            await #expect(throws: EnqueueError.invalidDate) {
                try await scheduler.enqueue(request, trigger: trigger)
            }
        }
        try await refuses(.invalidDate, saying: "date", "within 100 years") {
            try await scheduler.enqueue(request, trigger: triggers[0])
        }
    }

    @Test("a deadline that no calendar has is refused with the worker's name", arguments: impossibleDates)
    func deadlines(seconds: Double) async throws {
        let date = Date(timeIntervalSince1970: seconds)
        var hopeless = request
        hopeless.deadline = date
        await #expect(throws: EnqueueError.invalidDeadline(workerClassName: "SyncWorker")) {
            try await scheduler.beginWith(request).then(hopeless).enqueue()
        }
        try await refuses(
            .invalidDeadline(workerClassName: "SyncWorker"), saying: "SyncWorker", "year 10000", "or none"
        ) { try await scheduler.enqueue(hopeless) }
    }

    @Test(
        "a crontab line that cannot be read is refused with the field",
        arguments: [
            ("", "five fields"), ("* * * *", "has 4"), ("* * * * * *", "has 6"), ("61 * * * *", "minute"),
            ("* * * * MOO", "day of week"), ("@sometimes", "@daily"), ("*/0 * * * *", "minute"), ("\0", "fields"),
        ])
    func cron(line: String, word: String) async throws {
        let error = await #expect(throws: EnqueueError.self) {
            try await scheduler.enqueue(request, trigger: .cron(line))
        }
        guard case .invalidCron(line, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        try await refuses(.invalidCron(line: line, reason: reason), saying: "\"\(line)\"", word) {
            try await scheduler.enqueue(request, trigger: .cron(line))
        }
    }

    @Test("a crontab line that never fires is refused", arguments: ["0 0 31 2 *", "0 0 30 FEB *", "0 0 31 4,6,9,11 *"])
    func cronNeverFires(line: String) async throws {
        try await refuses(.cronNeverFires(line: line), saying: line, "Give a day") {
            try await scheduler.enqueue(request, trigger: .cron(line))
        }
    }

    @Test(
        "a time zone that does not exist is refused by its name",
        arguments: ["", "Mars/Olympus_Mons", "Europe/Berlin\0", "../Europe/Berlin", "Europe", "/etc/localtime", " UTC"])
    func timeZones(name: String) async throws {
        try await refuses(.unknownTimeZone(name), saying: "\"\(name)\"", "Europe/Berlin") {
            try await scheduler.enqueue(request, trigger: .cron("@daily", timeZone: name))
        }
    }

    @Test("a path that is relative or holds NUL is refused", arguments: ["", "x", "./x", "~/x", "/tmp/\0x", "\0/tmp"])
    func paths(path: String) async throws {
        try await refuses(.invalidPath(path), saying: "\"\(path)\"", "absolute path without NUL") {
            try await scheduler.enqueue(request, trigger: .fileChanged(path: path))
        }
    }

    @Test("a chain with an empty step is refused with the step's number")
    func emptySteps() async throws {
        await #expect(throws: EnqueueError.emptyStep(chainID: "c", step: 0)) {
            try await scheduler.beginWith([]).then(request).enqueue(id: "c")
        }
        let branches = [scheduler.beginWith(request), scheduler.beginWith(request).then([])]
        await #expect(throws: EnqueueError.emptyStep(chainID: nil, step: 2)) {
            try await #require(TaskChain.combine(branches)).enqueue()
        }
        #expect(TaskChain.combine([]) == nil)
        try await refuses(.emptyStep(chainID: "c", step: 1), saying: "Step 1", "chain c", "Leave the step out") {
            try await scheduler.beginWith(request).then([]).enqueue(id: "c")
        }
    }

    @Test(
        "a chain that waits for itself, for a later step or for none that exists is refused",
        arguments: [[[], [1]], [[1], [0]], [[], [2], []], [[], [-1]], [[Int.max], []]])
    func cycles(links: [[Int]]) async throws {
        let chain = ChainSteps(links.map { _ in [request] }, links: links)
        let step = try #require(links.firstIndex { !$0.isEmpty })
        try await refuses(.cyclicChain(chainID: "c", step: step), saying: "Step \(step)", "chain c", "never begin") {
            try await scheduler.enqueue(chain, id: "c", policy: .replace)
        }
    }

    @Test("chains of different schedulers are not joined, not even inside of one another")
    func differentSchedulers() async throws {
        let other = try SchedulerFixture()
        let stranger = try other.open()
        let joined = try #require(TaskChain.combine([scheduler.beginWith(request), stranger.beginWith(request)]))
        let nested = try #require(TaskChain.combine([scheduler.beginWith(request), joined.then(request)]))
        await #expect(throws: EnqueueError.chainsOfDifferentSchedulers) { try await nested.enqueue() }
        try await refuses(.chainsOfDifferentSchedulers, saying: "different schedulers", "with the same one") {
            try await joined.enqueue(id: "c")
        }
        #expect(try await stranger.infos(matching: WorkQuery()).isEmpty)
        await stranger.shutdown()
    }

    @Test("input over 10 MB is refused with its size and the limit")
    func largeInput() async throws {
        var large = request
        large.inputJSON = "\"" + String(repeating: "a", count: 9_999_999) + "\""
        try await refuses(
            .inputTooLarge(workerClassName: "SyncWorker", bytes: 10_000_001, limit: 10_000_000),
            saying: "SyncWorker", "10000001", "10000000", "in a file"
        ) { try await scheduler.enqueue(large) }
    }

    @Test(
        "input that is no JSON is refused with the reason",
        arguments: [
            "", " ", "{", "[1,]", "{\"a\" 1}", "nul", "'a'", "01", "1.", "\"\u{1}\"", "\"\\x\"", "\"a", "{} {}",
            "NaN", "\u{feff}{}", "\"\0\"", String(repeating: "[", count: 600) + String(repeating: "]", count: 600),
        ])
    func malformedInput(input: String) async throws {
        var malformed = request
        malformed.inputJSON = input
        let reason = try #require(JSONSyntax.complaint(about: input))
        try await refuses(
            .malformedInput(workerClassName: "SyncWorker", reason: reason),
            saying: "SyncWorker", reason, "Nothing was enqueued"
        ) { try await scheduler.enqueue(malformed) }
    }

    @Test("an empty worker's name is refused")
    func emptyWorkerName() async throws {
        try await refuses(.emptyWorkerName, saying: "workerClassName", "Give the name") {
            try await scheduler.enqueue(TaskRequest(workerClassName: ""))
        }
    }

    @Test("a tag or a queue without a name, or with one of 2 kB, is refused", arguments: [0, 1025, 2048])
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
        try await refuses(
            .invalidLabel(kind: "tag", bytes: bytes, limit: 1024), saying: "tag", words[0], words[1]
        ) { try await scheduler.enqueue(tagged) }
    }

    @Test(
        "a timeout that is not above zero, or beyond the calendar, is refused",
        arguments: [Duration.zero, .seconds(-1), .seconds(Int64.max)])
    func timeouts(timeout: Duration) async throws {
        var timed = request
        timed.timeout = timeout
        try await refuses(
            .invalidTimeout(workerClassName: "SyncWorker", timeout),
            saying: "SyncWorker", "\(timeout)", "more than zero"
        ) { try await scheduler.enqueue(timed) }
    }

    @Test(
        "a retry policy that contradicts itself is refused with the number that is wrong",
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
        try await refuses(
            .invalidRetryPolicy(workerClassName: "SyncWorker", reason: reason), saying: "SyncWorker", words
        ) { try await scheduler.enqueue(request) }
    }

    @Test("an id that is empty or too long is refused, for requests and chains", arguments: [0, 10_241])
    func ids(bytes: Int) async throws {
        let id = String(repeating: "x", count: bytes)
        let words = bytes == 0 ? "Leave it out" : "limit is 10240 bytes"
        await #expect(throws: EnqueueError.invalidID(bytes: bytes, limit: 10_240)) {
            try await scheduler.beginWith(request).enqueue(id: id)
        }
        try await refuses(.invalidID(bytes: bytes, limit: 10_240), saying: "id", words) {
            try await scheduler.enqueue(request, id: id)
        }
    }

    @Test("nothing is taken after a shutdown")
    func afterShutdown() async throws {
        await scheduler.shutdown()
        await #expect(throws: EnqueueError.shuttingDown) { try await scheduler.beginWith(request).enqueue() }
        await #expect(throws: EnqueueError.shuttingDown) {
            try await scheduler.enqueue(contentsOf: [TaskSubmission(request)])
        }
        try await refuses(.shuttingDown, saying: "shutting down", "Open another") {
            try await scheduler.enqueue(request)
        }
    }

    @Test("of many submissions none is stored when one is bad, and the error counts")
    func submissions() async throws {
        let bad = TaskSubmission(request, id: "third", trigger: .oneTime(delay: .seconds(-1)))
        let submissions = ["first", "second"].map { TaskSubmission(request, id: $0) } + [bad]
        try await refuses(
            .inSubmission(index: 2, .invalidDelay(.seconds(-1))), saying: "Submission 2", "delay of -1", "None of them"
        ) {
            try await scheduler.enqueue(contentsOf: submissions)[0]
        }
    }

    @Test("of many submissions none is stored when one takes the id of a chain")
    func submissionsInTheTransaction() async throws {
        try await scheduler.beginWith(request).enqueue(id: "c")
        let submissions = ["first", "second", "c/0.0", "fourth"].map { TaskSubmission(request, id: $0) }
        let error = await #expect(throws: EnqueueError.self) { try await scheduler.enqueue(contentsOf: submissions) }
        #expect(
            error == .inSubmission(index: 2, .idTaken(id: "c/0.0", by: "a member of the chain \"c\"")))
        #expect(error?.description.contains("Choose another") == true)
        #expect(try await scheduler.infos(matching: WorkQuery()).map(\.id) == ["c/0.0"])
        await scheduler.shutdown()
    }

    @Test("a deadline that has passed is an answer, not an error, and nothing is stored")
    func passedDeadlines() async throws {
        for date in [fixture.clock.now, fixture.clock.now.addingTimeInterval(-1), .distantPast] {
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

    @Test("a configuration with a limit of zero is refused with the limit's name")
    func configuration() throws {
        func refuses(
            _ expected: ConfigurationError, saying words: String,
            _ configure: (inout WorkScheduler.Configuration) -> Void
        ) throws {
            let fixture = try SchedulerFixture()
            let error = #expect(throws: ConfigurationError.self) { try fixture.open(configure: configure) }
            #expect(error == expected)
            #expect(error?.description.contains(words) == true)
            #expect(fixture.folder.names.isEmpty)
        }
        try refuses(.notPositive(name: "maximumConcurrentWork", value: 0), saying: "at least 1, not 0") {
            $0.maximumConcurrentWork = 0
        }
        try refuses(.notPositive(name: "retainedEvents", value: -1), saying: "at least 1, not -1") {
            $0.retainedEvents = -1
        }
        try refuses(.notPositive(name: "workerLimits[\"W\"]", value: 0), saying: "workerLimits[\"W\"]") {
            $0.workerLimits = ["W": 0]
        }
        try refuses(
            .notPositive(name: "queueLimits[\"q\"].maximumConcurrent", value: 0), saying: "queueLimits[\"q\"]"
        ) { $0.queueLimits = ["q": QueueLimits(maximumConcurrent: 0)] }
        let rates = [
            RateLimit(0, per: .seconds(1)), RateLimit(1, per: .zero), RateLimit(1, per: .seconds(-1)),
            RateLimit(1, per: .seconds(Int64.max)),
            RateLimit(
                1,
                per: Duration(secondsComponent: Int64.max / 1000, attosecondsComponent: 999_000_000_000_000_000)),
        ]
        for rate in rates {
            try refuses(.invalidRate(queue: "q"), saying: "\"q\" needs a count of at least 1") {
                $0.queueLimits = ["q": QueueLimits(rate: rate)]
            }
        }
    }
}
