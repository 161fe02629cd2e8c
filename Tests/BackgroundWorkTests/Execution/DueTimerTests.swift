import BackgroundWork
import Foundation
import Synchronization
import TestSupport
import Testing

/// Work that becomes due just before other work is scheduled.
@Suite(.timeLimit(.minutes(5)))
struct DueTimerTests {
    /// Whoever sleeps by it hears nothing but a cancellation, as on a machine that is too busy to wake anybody in time.
    private final class LateClock: WorkClock {
        private struct State {
            var passed = Duration.zero
            var passesWhenRead: Duration?
        }

        private let state = Mutex(State())

        var now: Date {
            Date(timeIntervalSince1970: 1_800_000_000 + Double(state.withLock { $0.passed }.components.seconds))
        }

        var uptime: Duration {
            state.withLock { state in
                if let duration = state.passesWhenRead.take() { state.passed += duration }
                return state.passed
            }
        }

        func pass(_ duration: Duration) { state.withLock { $0.passed += duration } }
        /// The next read of the uptime returns it plus this much.
        func passWhenRead(_ duration: Duration) { state.withLock { $0.passesWhenRead = duration } }
        func sleep(for duration: Duration) async throws { try await Task.sleep(for: .seconds(3600)) }
        func adjustments() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
    }

    private var fixture: SchedulerFixture
    private let clock = LateClock()
    private let ran = Recorder<String>()
    private let request = TaskRequest(workerClassName: "W")

    init() throws { fixture = try SchedulerFixture() }

    private mutating func start() async throws -> WorkScheduler {
        let (clock, ran) = (clock, ran)
        try fixture.workers.register("W") { _, context in
            ran.add(context.workID)
            return .success()
        }
        let scheduler = try fixture.open { $0.clock = clock }
        try await scheduler.start()
        return scheduler
    }

    @Test("what falls due while its timer is late runs, although later work is scheduled in that moment")
    mutating func overdue() async throws {
        let scheduler = try await start()
        try await scheduler.enqueue(request, id: "soon", trigger: .oneTime(delay: .seconds(10)))
        clock.pass(.seconds(10))
        try await scheduler.enqueue(request, id: "later", trigger: .oneTime(delay: .seconds(3600)))
        #expect(try await comesTrue { ran.values == ["soon"] })
        await scheduler.shutdown()
    }

    @Test("what falls due after the claim, just before its timer is set, runs")
    mutating func dueMeanwhile() async throws {
        let scheduler = try await start()
        clock.passWhenRead(.seconds(10))
        try await scheduler.enqueue(request, id: "soon", trigger: .oneTime(delay: .seconds(10)))
        #expect(try await comesTrue { ran.values == ["soon"] })
        await scheduler.shutdown()
    }
}
