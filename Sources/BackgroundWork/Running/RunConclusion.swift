import BackgroundWorkModel
import BackgroundWorkStorage

/// Translates the ending of a run into the change of its item.
struct RunConclusion: Sendable {
    var ending: WorkExecution.Ending
    var record: WorkRecord
    var now: WallTime
    /// Numbers from 0 to 1, for the jitter of a retry; asked for only then.
    var random: @Sendable () -> Double

    /// Whether this run, or one before in the same generation, may have begun to hand a transfer off. One that has
    /// finished at its first try without an error has not.
    var mayHaveBegunHandOff: Bool {
        if case .retry = ending { return true }
        return record.status.deaths > 0 || record.status.attempt > 1
    }

    var change: (WorkChange, WorkTransaction.Details) {
        switch ending {
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
