import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWorkStorage

/// What the store promises when the wall clock is set.
struct ClockConformanceTests {
    private let store: StoreUnderTest
    private let scheduler: StoreScheduler

    init() async throws {
        store = try StoreUnderTest()
        scheduler = try await store.scheduler()
        _ = try await adjust(to: .start, uptime: .seconds(1000))
    }

    /// Reports the wall clock's time, and returns by how much it was set back.
    private func adjust(
        to wall: WallTime, uptime: Duration, boot: String = "boot", on other: StoreScheduler? = nil
    ) async throws -> Duration {
        let reading = WorkTransaction.ClockReading(wall: wall, uptimeMs: uptime.milliseconds, boot: boot)
        return .milliseconds(try await (other ?? scheduler).write { try $0.adjust(to: reading) })
    }

    @Test("when it is set back, delays and backoffs stay as long as they were, and dates stay dates")
    func setBack() async throws {
        try await scheduler.enqueue("delay", trigger: .oneTime(delay: .seconds(60)))
        try await scheduler.enqueue("date", trigger: .exact(WallTime.after(.seconds(60)).date))
        try await scheduler.enqueue("backoff", TaskRequest(workerClassName: "W", retryPolicy: .tenSeconds()))
        try await scheduler.end(try await scheduler.claimOne(), .tryAgain("busy"))
        #expect(try await adjust(to: .after(.seconds(-3600)), uptime: .seconds(1000)) == .seconds(3600))
        #expect(try await scheduler.record("delay")?.due == .after(.seconds(60 - 3600)))
        #expect(try await scheduler.record("backoff")?.due == .after(.seconds(10 - 3600)))
        #expect(try await scheduler.record("date")?.due == .after(.seconds(60)))
    }

    @Test("periodic work is planned anew, so that it continues within its interval")
    func periodic() async throws {
        try await scheduler.enqueue("p", trigger: .periodic(interval: .seconds(60), runImmediately: false))
        _ = try await adjust(to: .after(.seconds(-3600)), uptime: .seconds(1000))
        let due = try #require(try await scheduler.record("p")?.due)
        #expect(due > .after(.seconds(-3600)))
        #expect(due <= .after(.seconds(60 - 3600)))
    }

    @Test("the first scheduler that notices corrects it for all, once")
    func once() async throws {
        let other = try await store.scheduler()
        try await scheduler.enqueue("delay", trigger: .oneTime(delay: .seconds(60)))
        let back = WallTime.after(.seconds(-3600))
        #expect(try await adjust(to: back, uptime: .seconds(1000), on: other) == .seconds(3600))
        #expect(try await adjust(to: back, uptime: .seconds(1000)) == .zero)
        #expect(try await scheduler.record("delay")?.due == .after(.seconds(60 - 3600)))
    }

    @Test(
        "time that passes, small corrections, and a clock that is set forward move nothing",
        arguments: [
            (Duration.seconds(30), Duration.seconds(1030), "boot"), (.milliseconds(-900), .seconds(1000), "boot"),
            (.seconds(3600), .seconds(1000), "boot"), (.seconds(3600), .seconds(5), "next boot"),
        ])
    func nothing(passed: Duration, uptime: Duration, boot: String) async throws {
        try await scheduler.enqueue("delay", trigger: .oneTime(delay: .seconds(60)))
        #expect(try await adjust(to: .after(passed), uptime: uptime, boot: boot) == .zero)
        #expect(try await scheduler.record("delay")?.due == .after(.seconds(60)))
    }

    @Test("after a reboot a time that went backwards is detected")
    func reboot() async throws {
        try await scheduler.enqueue("delay", trigger: .oneTime(delay: .seconds(60)))
        #expect(try await adjust(to: .after(.seconds(-20)), uptime: .seconds(5), boot: "next boot") == .seconds(20))
        #expect(try await scheduler.record("delay")?.due == .after(.seconds(40)))
    }
}
