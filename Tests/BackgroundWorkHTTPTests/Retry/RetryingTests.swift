import BackgroundWorkHTTP
import BackgroundWorkTesting
import TestSupport
import Testing

@Suite("Retrying")
struct RetryingTests {
    struct Busy: RetryableError, Equatable {
        var isRetryable = true
        var retryAfter: Duration?
    }

    struct Broken: Error {}

    private let clock = ManualClock()
    private let attempts = Recorder<Int>()

    /// Advances the clock by each of the waits, as soon as something sleeps; a caller that sleeps longer is not woken.
    private func pass(_ waits: [Duration]) async {
        for wait in waits {
            await clock.untilSleeping(atLeast: 1)
            clock.advance(by: wait - .nanoseconds(1))
            #expect(clock.sleepers == 1)
            clock.advance(by: .nanoseconds(1))
            #expect(clock.sleepers == 0)
        }
    }

    @Test("the result of the first attempt that succeeds is returned, after exact waits below a second")
    func succeeds() async throws {
        async let result = retrying(
            maxAttempts: 5, initialDelay: .milliseconds(100), multiplier: 1.5, jitter: 0, clock: clock
        ) { attempt in
            attempts.add(attempt)
            if attempt < 4 { throw Busy() }
            return "done"
        }
        await pass([.milliseconds(100), .milliseconds(150), .milliseconds(225)])
        #expect(try await result == "done")
        #expect(attempts.values == [1, 2, 3, 4])
    }

    @Test("the last attempt's error is thrown, without a wait after it")
    func exhausted() async {
        await #expect(throws: Busy(retryAfter: .nanoseconds(3))) {
            try await retrying(maxAttempts: 3, initialDelay: .zero, clock: QuickClock(factor: 1000)) { attempt in
                attempts.add(attempt)
                throw Busy(retryAfter: .nanoseconds(attempt))
            }
        }
        #expect(attempts.values == [1, 2, 3])
    }

    @Test("less than one attempt is one", arguments: [0, -1, Int.min])
    func atLeastOne(maxAttempts: Int) async throws {
        #expect(try await retrying(maxAttempts: maxAttempts) { $0 } == 1)
        await #expect(throws: Busy()) { try await retrying(maxAttempts: maxAttempts) { _ in throw Busy() } }
    }

    @Test("only what is worth it is repeated; by default what says so of itself")
    func predicate() async throws {
        await #expect(throws: Broken.self) {
            try await retrying(clock: clock) { attempt in
                attempts.add(attempt)
                throw Broken()
            }
        }
        await #expect(throws: Busy(isRetryable: false)) {
            try await retrying(clock: clock) { attempt in
                attempts.add(attempt)
                throw Busy(isRetryable: false)
            }
        }
        #expect(attempts.values == [1, 1])
        let result = try await retrying(initialDelay: .zero, clock: clock, isWorthAnotherTry: { $0 is Broken }) {
            if $0 < 2 { throw Broken() }
            return $0
        }
        #expect(result == 2)
    }

    @Test("the wait is the longer one of the schedule's and the server's, which the maximum does not shorten")
    func retryAfter() async throws {
        async let result = retrying(
            maxAttempts: 4, initialDelay: .milliseconds(500), multiplier: 1, maximumDelay: .seconds(1), jitter: 0,
            clock: clock
        ) { attempt in
            switch attempt {
            case 1: throw Busy(retryAfter: .milliseconds(1))
            case 2: throw Busy(retryAfter: .milliseconds(2500))
            case 3: throw Busy(retryAfter: .seconds(-7))
            default: return attempt
            }
        }
        await pass([.milliseconds(500), .milliseconds(2500), .milliseconds(500)])
        #expect(try await result == 4)
    }

    @Test("a server that asks for more than is allowed is given up at once")
    func parked() async {
        await #expect(throws: Busy(retryAfter: .seconds(Int64.max))) {
            try await retrying(maxAttempts: 9, longestRetryAfter: .seconds(10), clock: clock) { attempt in
                attempts.add(attempt)
                throw Busy(retryAfter: .seconds(Int64.max))
            }
        }
        #expect(attempts.values == [1])
    }

    @Test("a cancelled wait ends at once, and no attempt follows")
    func cancelledWait() async {
        let task = Task {
            try await retrying(maxAttempts: 9, initialDelay: .seconds(3600), clock: clock) { attempt in
                attempts.add(attempt)
                throw Busy()
            }
        }
        await clock.untilSleeping(atLeast: 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(attempts.values == [1])
    }

    @Test("no attempt follows when the task is cancelled during one, even without a wait")
    func cancelledAttempt() async {
        let (began, cancelled) = (Latch(), Latch())
        let task = Task {
            try await retrying(maxAttempts: 9, initialDelay: .zero, clock: clock) { attempt in
                attempts.add(attempt)
                began.open()
                await cancelled.wait()
                throw Busy()
            }
        }
        await began.wait()
        task.cancel()
        cancelled.open()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(attempts.values == [1])
    }

    @Test("the operation's own cancellation is no failure to repeat")
    func innerCancellation() async {
        await #expect(throws: CancellationError.self) {
            try await retrying(clock: clock, isWorthAnotherTry: { _ in true }) { attempt in
                attempts.add(attempt)
                throw CancellationError()
            }
        }
        #expect(attempts.values == [1])
    }

    @Test("the random source is asked once for each wait")
    func random() async throws {
        async let result = retrying(
            maxAttempts: 3, initialDelay: .milliseconds(100), multiplier: 1, jitter: 1, clock: clock,
            random: {
                attempts.add(0)
                return attempts.values.count == 1 ? 0.75 : 0.25
            }
        ) { attempt in
            if attempt < 3 { throw Busy() }
            return attempt
        }
        await pass([.milliseconds(150), .milliseconds(50)])
        #expect(try await result == 3)
        #expect(attempts.values.count == 2)
    }

    @Test("it runs on the caller's actor, with results that are not Sendable")
    @MainActor
    func isolation() async throws {
        final class Box { var number = 0 }
        let box = Box()
        let result = try await retrying(initialDelay: .zero) { attempt in
            MainActor.assertIsolated()
            box.number = attempt
            if attempt < 2 { throw Busy() }
            return box
        }
        #expect(result === box && box.number == 2)
    }
}
