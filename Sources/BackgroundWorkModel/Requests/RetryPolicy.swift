/// How often a request is retried after a retry result or a thrown error, and how long the waits are.
///
/// ```swift
/// TaskRequest(workerClassName: "SyncWorker", retryPolicy: .exponential(initialDelay: .seconds(5), maximumAttempts: 4))
/// ```
public struct RetryPolicy: Sendable, Hashable, Codable {
    /// How the wait grows from attempt to attempt.
    public enum Growth: String, Sendable, Hashable, Codable {
        /// The wait doubles: 1, 2, 4, 8 … times the initial delay.
        case exponential
        /// The wait grows by the initial delay: 1, 2, 3, 4 … times.
        case linear
    }

    /// How the wait grows.
    public var growth: Growth
    /// The wait after the first attempt, in milliseconds.
    public var initialDelayMs: Int64
    /// The longest wait, in milliseconds (jitter included); at most 100 years.
    public var maximumDelayMs: Int64
    /// How many attempts there are in all, the first included. The request fails when the last one asks for a retry.
    public var maximumAttempts: Int
    /// How much a wait is lengthened or shortened at random, as a fraction from 0 to 1: with 0.2 a wait of 10 s
    /// becomes one of 8 to 12 s, so that many clients do not retry at the same instant.
    public var jitter: Double

    /// The waits double: 30 s, 60 s, 2 min … up to five hours, ten attempts in all.
    public static func exponential(
        initialDelay: Duration = .seconds(30), maximumDelay: Duration = .seconds(5 * 3600), maximumAttempts: Int = 10,
        jitter: Double = 0.2
    ) -> RetryPolicy {
        RetryPolicy(
            growth: .exponential, initialDelayMs: initialDelay.milliseconds, maximumDelayMs: maximumDelay.milliseconds,
            maximumAttempts: maximumAttempts, jitter: jitter)
    }

    /// The waits grow by the initial delay each time.
    public static func linear(
        initialDelay: Duration = .seconds(30), maximumDelay: Duration = .seconds(5 * 3600), maximumAttempts: Int = 10,
        jitter: Double = 0.2
    ) -> RetryPolicy {
        RetryPolicy(
            growth: .linear, initialDelayMs: initialDelay.milliseconds, maximumDelayMs: maximumDelay.milliseconds,
            maximumAttempts: maximumAttempts, jitter: jitter)
    }

    /// One attempt: a retry or a thrown error fails the request.
    public static let never = RetryPolicy(
        growth: .linear, initialDelayMs: 0, maximumDelayMs: 0, maximumAttempts: 1, jitter: 0)

    /// The wait after `attempt` (1 for the first) asked for a retry, in milliseconds; `nil` when that was the last one.
    ///
    /// - Parameters:
    ///   - attempt: the attempt that has just ended, counted from 1.
    ///   - random: a number from 0 to 1; 0.5 means no jitter.
    package func delayMs(afterAttempt attempt: Int, random: Double) -> Int64? {
        guard attempt < maximumAttempts else { return nil }
        let factor: Double =
            switch growth {
            case .exponential: Double(sign: .plus, exponent: min(max(attempt, 1) - 1, 62), significand: 1)
            case .linear: Double(max(attempt, 1))
            }
        let base = Double(initialDelayMs) * factor
        let stretched = Self.jittered(base, jitter: jitter, random: random)
        return Int64(min(max(stretched, 0), Double(min(maximumDelayMs, RequestRules.longestWaitMs))))
    }

    /// A wait, lengthened or shortened by up to the fraction `jitter` of itself.
    ///
    /// - Parameter random: from 0 (shortened) to 1 (lengthened).
    package static func jittered(_ wait: Double, jitter: Double, random: Double) -> Double {
        wait * (1 + jitter * (2 * random - 1))
    }

    /// What is wrong with the numbers; `nil` when they are valid.
    package var complaint: String? {
        if initialDelayMs < 0 { return "initialDelay is negative" }
        if initialDelayMs > RequestRules.longestWaitMs { return "initialDelay is longer than 100 years" }
        if maximumDelayMs < initialDelayMs { return "maximumDelay is shorter than initialDelay" }
        if maximumAttempts < 1 { return "maximumAttempts is below 1" }
        if !(0...1).contains(jitter) { return "jitter is not between 0 and 1" }
        return nil
    }
}

/// Whether work that asks for another attempt gets one.
package enum RetryDecision: Sendable, Hashable {
    /// Again, after this many milliseconds.
    case again(delayMs: Int64)
    /// No more attempts; the item fails with this message.
    case exhausted(message: String)

    /// - Parameters:
    ///   - attempt: the attempt that has just ended, counted from 1.
    ///   - after: the wait that the worker itself asked for.
    ///   - attemptCap: the most attempts that the worker itself wants.
    ///   - random: a number from 0 to 1, for the jitter.
    package init(
        reason: String, attempt: Int, policy: RetryPolicy, after: Duration?, attemptCap: Int?, random: Double
    ) {
        let cap = min(policy.maximumAttempts, attemptCap ?? .max)
        guard attempt < cap, let planned = policy.delayMs(afterAttempt: attempt, random: random) else {
            self = .exhausted(
                message: cap == 1 ? reason : "\(reason) (gave up after \(attempt) attempts, the most allowed)")
            return
        }
        self = .again(delayMs: after.map { max(0, $0.milliseconds) } ?? planned)
    }
}
