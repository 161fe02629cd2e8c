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
        case .success(let message, let outputJSON):
            if let reason = outputJSON.flatMap(JSONSyntax.complaint(about:)) {
                throw CompletionError.malformedOutput(reason: reason)
            }
            return try await settle {
                try $0.apply(
                    .outcomeFinal(.succeeded), to: key, .init(message: message, outputJSON: outputJSON), now: now)
            }
        case .failure(let message):
            return try await settle {
                try $0.apply(.outcomeFinal(.failed), to: key, .init(message: message), now: now)
            }
        case .retry(let reason, let after, let attemptCap):
            return try await settle {
                try $0.retryHandOff(
                    key, reason: reason, after: after, attemptCap: attemptCap, random: random, now: now)
            }
        }
    }

    private func settle(
        _ body: @escaping @Sendable (WorkTransaction) throws -> WorkTransition
    ) async throws -> CompletionAnswer {
        if case .refused = try await store.write(body) { return .alreadyCompleted }
        return .completed
    }
}
