import BackgroundWorkModel

/// How a worker's run ended, once its result was checked.
package enum RunEnding: Sendable {
    case finished(WorkOutcome, message: String?, outputJSON: String?)
    case retry(reason: String, after: Duration?, attemptCap: Int?)
    case snooze(Duration, reason: String?)
    case handedOff(message: String?, expiresAfter: Duration?)
    /// It was asked to stop, and did.
    case stopped(message: String?)

    package static func failed(_ message: String) -> RunEnding {
        .finished(.failed, message: message, outputJSON: nil)
    }

    /// Whether this run, or one before in the same generation, may have begun to hand a transfer off. One that has
    /// finished at its first try without an error has not.
    func mayHaveBegunHandOff(_ record: WorkRecord) -> Bool {
        if case .retry = self { return true }
        return record.status.deaths > 0 || record.status.attempt > 1
    }

    /// What it means for its item.
    func change(
        of record: WorkRecord, now: WallTime, random: () -> Double
    ) -> (WorkChange, WorkTransaction.Details) {
        switch self {
        case .finished(let outcome, let message, let outputJSON):
            return (.workerFinished(outcome), .init(message: message, outputJSON: outputJSON))
        case .handedOff(let message, let expiresAfter):
            return (
                .workerHandedOff,
                .init(message: message, handOffExpires: expiresAfter.map { now.advanced(byMs: $0.milliseconds) })
            )
        case .stopped(let message): return (.stopped, .init(message: message, due: record.due))
        case .snooze(let duration, let reason):
            return (
                .workerSnoozes, .init(message: reason, due: now.advanced(byMs: max(0, duration.milliseconds)))
            )
        case .retry(let reason, let after, let attemptCap):
            let decision = RetryDecision(
                reason: reason, attempt: record.status.attempt, policy: record.retryPolicy, after: after,
                attemptCap: attemptCap, random: random())
            switch decision {
            case .again(let delayMs):
                return (.workerRetries, .init(message: reason, due: now.advanced(byMs: delayMs)))
            case .exhausted(let message): return (.workerFinished(.failed), .init(message: message))
            }
        }
    }
}
