/// Whether work that asks for another attempt gets one.
package enum RetryDecision: Sendable, Hashable {
    /// Again, this many milliseconds from now.
    case again(delayMs: Int64)
    /// No more; the item fails with this message.
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
