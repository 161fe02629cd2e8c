import BackgroundWorkDevice
import BackgroundWorkModel

/// Calls `operation` until it succeeds, at most `maxAttempts` times, with growing waits between the attempts, and returns
/// its result.
///
/// ```swift
/// let feed: Feed = try await retrying(maxAttempts: 4, initialDelay: .milliseconds(200)) { _ in
///     try await client.get("feed")
/// }
/// ```
///
/// It repeats what it is told to: whether a `POST` may be sent twice is for the caller to know. The attempts are not
/// stored and end with the process; work that must not be lost belongs in a worker.
///
/// - **Waits.** `initialDelay`, then `multiplier` times as long after each attempt, to the nanosecond, at most
///   `maximumDelay` with jitter included.
/// - **Retry-After.** Where an error asks for a longer wait (``RetryableError/retryAfter``), the wait is that long, also
///   beyond `maximumDelay`. If it asks for more than `longestRetryAfter`, the error is thrown at once.
/// - **Cancellation.** No attempt begins after the task is cancelled, but for the first one; a wait ends at once. Both
///   throw `CancellationError`. A `CancellationError` of the operation is thrown on, whatever the predicate says.
/// - **Invalid numbers** are replaced by the nearest valid ones: at least one attempt is made; waits below zero are zero;
///   a `multiplier` that is negative or not a number is 1.
///
/// Runs on the caller's actor, so neither the closures nor the result need be `Sendable`.
///
/// - Parameters:
///   - maxAttempts: how many attempts there are in all, the first included.
///   - initialDelay: the wait after the first attempt.
///   - multiplier: by what the wait grows from attempt to attempt.
///   - maximumDelay: the longest wait that is not asked for by the server; at most 100 years.
///   - jitter: how much a wait is lengthened or shortened at random, as a fraction from 0 to 1: with 0.2 a wait of 10 s
///     becomes one of 8 to 12 s, so that many clients do not retry at the same instant.
///   - longestRetryAfter: the longest wait that a server can ask for.
///   - clock: what the waits are measured by.
///   - random: gives a number from 0 to 1 for each wait.
///   - isWorthAnotherTry: whether another attempt may succeed after this error. By default that is what a
///     ``RetryableError`` says of itself; any other error is thrown at once.
///   - operation: gets the number of its attempt, counted from 1.
/// - Throws: the error of the last attempt, or `CancellationError`.
public func retrying<Value>(
    maxAttempts: Int = 3, initialDelay: Duration = .milliseconds(500), multiplier: Double = 2,
    maximumDelay: Duration = .seconds(30), jitter: Double = 0.2, longestRetryAfter: Duration = .seconds(120),
    clock: any WorkClock = SystemWorkClock(), random: @Sendable () -> Double = { .random(in: 0...1) },
    isolation: isolated (any Actor)? = #isolation,
    isWorthAnotherTry: (any Error) -> Bool = { ($0 as? any RetryableError)?.isRetryable ?? false },
    operation: (_ attempt: Int) async throws -> Value
) async throws -> Value {
    let schedule = BackoffSchedule(
        initialDelay: initialDelay, multiplier: multiplier, maximumDelay: maximumDelay, jitter: jitter)
    var attempt = 1
    while true {
        do {
            return try await operation(attempt)
        } catch let error as CancellationError {
            throw error
        } catch {
            guard attempt < maxAttempts, isWorthAnotherTry(error) else { throw error }
            let asked = (error as? any RetryableError)?.retryAfter ?? .zero
            guard asked <= longestRetryAfter else { throw error }
            let wait = max(schedule.delay(afterAttempt: attempt, random: random()), asked)
            try Task.checkCancellation()
            if wait > .zero { try await clock.sleep(for: wait) }
            try Task.checkCancellation()
            attempt += 1
        }
    }
}
