import BackgroundWorkModel

extension WorkTransaction {
    /// A hand-off has come to nothing: it is tried again as a new generation, after `after` or what the request's
    /// policy says, or fails with its last attempt.
    package func retryHandOff(
        _ key: TransferKey, reason: String, after: Duration? = nil, attemptCap: Int? = nil, random: Double,
        now: WallTime
    ) throws -> WorkTransition {
        guard let record = try record(id: key.workID) else { return .refused(.outdated) }
        let decision = RetryDecision(
            reason: reason, attempt: max(1, record.status.attempt), policy: record.retryPolicy, after: after,
            attemptCap: attemptCap, random: random)
        switch decision {
        case .again(let delayMs):
            return try apply(
                .outcomeRetries, to: key, Details(message: reason, due: now.advanced(byMs: delayMs)), now: now)
        case .exhausted(let message):
            return try apply(.outcomeFinal(.failed), to: key, Details(message: message), now: now)
        }
    }
}
