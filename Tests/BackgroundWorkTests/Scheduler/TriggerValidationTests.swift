import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWork

/// Impossible triggers and delays: each is rejected with its own error, and nothing is stored.
/// One after the other: each case opens a scheduler, and a process has only so many descriptors.
@Suite(.serialized)
struct TriggerValidationTests {
    private let refusal: EnqueueRefusal
    private var scheduler: WorkScheduler { refusal.scheduler }
    private var request: TaskRequest { refusal.request }

    init() throws { refusal = try EnqueueRefusal() }

    /// Negative, beyond the calendar, and where whole seconds fit into milliseconds but not the rest of them.
    static let impossibleDelays: [Duration] = [
        .seconds(-1), .nanoseconds(-1), .seconds(Int64.max), .seconds(101 * 366 * 86_400),
        Duration(secondsComponent: Int64.max / 1000, attosecondsComponent: 999_000_000_000_000_000),
    ]

    @Test("an impossible delay is rejected, wherever it is", arguments: impossibleDelays)
    func delays(delay: Duration) async throws {
        var delayed = request
        delayed.delay = delay
        let triggers: [TaskTrigger] = [
            .oneTime(delay: delay), .periodic(interval: .seconds(900), initialDelay: delay),
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
        try await refusal.expect(.invalidDelay(delay), saying: "\(delay)", "at most 100 years") {
            try await scheduler.enqueue(delayed)
        }
    }

    #if BACKGROUNDWORK_HAS_TASK_SCHEDULER
    static let shortestInterval = Duration.seconds(15 * 60)
    #else
    static let shortestInterval = Duration.seconds(1)
    #endif

    @Test(
        "an interval below the platform's shortest is rejected with the minimum",
        arguments: [Duration.zero, shortestInterval - .milliseconds(1), .seconds(-60)])
    func shortIntervals(interval: Duration) async throws {
        try await refusal.expect(
            .intervalTooShort(interval, minimum: Self.shortestInterval), saying: "\(interval)",
            "\(Self.shortestInterval)"
        ) { try await scheduler.enqueue(request, trigger: .periodic(interval: interval)) }
    }

    @Test(
        "an interval beyond the calendar is rejected",
        arguments: [
            Duration.seconds(Int64.max),
            Duration(secondsComponent: Int64.max / 1000, attosecondsComponent: 999_000_000_000_000_000),
        ])
    func longIntervals(interval: Duration) async throws {
        try await refusal.expect(.invalidDelay(interval), saying: "\(interval)", "at most 100 years") {
            try await scheduler.enqueue(request, trigger: .periodic(interval: interval))
        }
    }

    @Test(
        "a flex that is negative or longer than the interval is rejected",
        arguments: [Duration.nanoseconds(-1), .seconds(901), .seconds(Int64.max)])
    func flex(flex: Duration) async throws {
        try await refusal.expect(
            .invalidFlex(flex, interval: .seconds(900)), saying: "\(flex)", "at most the interval", "900.0 seconds"
        ) { try await scheduler.enqueue(request, trigger: .periodic(interval: .seconds(900), flex: flex)) }
    }

    @Test("a window that ends before it begins, or at once, is rejected", arguments: [0.0, -1])
    func windows(length: TimeInterval) async throws {
        let start = refusal.fixture.clock.now.addingTimeInterval(10)
        try await refusal.expect(.emptyWindow, saying: "window", "after the earliest") {
            try await scheduler.enqueue(
                request, trigger: .windowed(earliest: start, latest: start.addingTimeInterval(length)))
        }
    }

    /// Seconds since 1970: a date made of the first could not even be shown as an argument.
    static let impossibleDates = [Double.nan, .infinity, -.infinity, 98_000 * 365.25 * 86_400]

    @Test("a date that no calendar has is rejected, in every place", arguments: impossibleDates)
    func dates(seconds: Double) async throws {
        let date = Date(timeIntervalSince1970: seconds)
        let now = refusal.fixture.clock.now
        let triggers: [TaskTrigger] = [
            .exact(date), .windowed(earliest: date, latest: now), .windowed(earliest: now, latest: date),
        ]
        for trigger in triggers.dropFirst() {
            await #expect(throws: EnqueueError.invalidDate) {
                try await scheduler.enqueue(request, trigger: trigger)
            }
        }
        try await refusal.expect(.invalidDate, saying: "date", "within 100 years") {
            try await scheduler.enqueue(request, trigger: triggers[0])
        }
    }

    @Test(
        "a crontab line that cannot be read is rejected with the field",
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
        try await refusal.expect(.invalidCron(line: line, reason: reason), saying: "\"\(line)\"", word) {
            try await scheduler.enqueue(request, trigger: .cron(line))
        }
    }

    @Test(
        "a crontab line that never fires is rejected", arguments: ["0 0 31 2 *", "0 0 30 FEB *", "0 0 31 4,6,9,11 *"])
    func cronNeverFires(line: String) async throws {
        try await refusal.expect(.cronNeverFires(line: line), saying: line, "Give a day") {
            try await scheduler.enqueue(request, trigger: .cron(line))
        }
    }

    @Test(
        "a time zone that does not exist is rejected by its name",
        arguments: ["", "Mars/Olympus_Mons", "Europe/Berlin\0", "../Europe/Berlin", "Europe", "/etc/localtime", " UTC"])
    func timeZones(name: String) async throws {
        try await refusal.expect(.unknownTimeZone(name), saying: "\"\(name)\"", "Europe/Berlin") {
            try await scheduler.enqueue(request, trigger: .cron("@daily", timeZone: name))
        }
    }

    @Test("a path that is relative or holds NUL is rejected", arguments: ["", "x", "./x", "~/x", "/tmp/\0x", "\0/tmp"])
    func paths(path: String) async throws {
        try await refusal.expect(.invalidPath(path), saying: "\"\(path)\"", "absolute path without NUL") {
            try await scheduler.enqueue(request, trigger: .fileChanged(path: path))
        }
    }
}
