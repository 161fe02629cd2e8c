import BackgroundWorkModel
import BackgroundWorkStorage

extension WorkScheduler {
    /// Brings the outcome of work that its worker handed off. Durable when it returns.
    ///
    /// May be called in any process, more than once, and before the worker has returned: the first outcome counts.
    /// Throws ``CompletionError`` for what is no outcome.
    public func complete(_ token: HandOffToken, with result: WorkerResult) async throws -> CompletionAnswer {
        guard let key = token.key else { throw CompletionError.malformedToken(token.rawValue) }
        let now = WallTime(configuration.clock.now)
        let random = configuration.random()
        switch result {
        case .handedOff, .snooze: throw CompletionError.notAnOutcome
        case .success(_, let outputJSON):
            if let reason = outputJSON.flatMap(JSONSyntax.complaint(about:)) {
                throw CompletionError.malformedOutput(reason: reason)
            }
        case .failure, .retry: break
        }
        let transition = try await store.write { transaction -> WorkTransition in
            guard let record = try transaction.record(id: key.workID) else { return .refused(.outdated) }
            let (change, details) = Self.change(for: result, record: record, now: now, random: random)
            return try transaction.apply(change, to: key, details, now: now)
        }
        if case .refused = transition { return .alreadyCompleted }
        return .completed
    }

    private static func change(
        for result: WorkerResult, record: WorkRecord, now: WallTime, random: Double
    ) -> (WorkChange, WorkTransaction.Details) {
        switch result {
        case .success(let message, let outputJSON):
            return (.outcomeFinal(.succeeded), .init(message: message, outputJSON: outputJSON))
        case .failure(let message): return (.outcomeFinal(.failed), .init(message: message))
        case .handedOff(_, let message, _): return (.workerHandedOff, .init(message: message))
        case .snooze(_, let reason): return (.workerSnoozes, .init(message: reason))
        case .retry(let reason, let after, let attemptCap):
            let decision = RetryDecision(
                reason: reason, attempt: max(1, record.status.attempt), policy: record.retryPolicy, after: after,
                attemptCap: attemptCap, random: random)
            switch decision {
            case .again(let delayMs):
                return (.outcomeRetries, .init(message: reason, due: now.advanced(byMs: delayMs)))
            case .exhausted(let message): return (.outcomeFinal(.failed), .init(message: message))
            }
        }
    }
}
