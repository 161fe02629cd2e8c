import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkStorage

extension WorkScheduler {
    /// Delivers the outcome of work that its worker handed off. Durable when it returns.
    ///
    /// May be called in any process, more than once, and before the worker has returned: the first outcome counts.
    /// Throws ``CompletionError`` for an invalid outcome.
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

/// What happened to an outcome delivered from outside.
public enum CompletionAnswer: Sendable, Hashable {
    /// It was accepted: the work has finished, or will be retried.
    case completed
    /// The work had an outcome already, was cancelled or replaced, or is no longer known. Nothing changed.
    case alreadyCompleted
}

/// An outcome delivered from outside is not valid. Nothing changed.
public enum CompletionError: Error, Hashable, CustomStringConvertible {
    /// The token was not issued by a scheduler.
    case malformedToken(String)
    /// A hand-off cannot be completed with another hand-off.
    case notAnOutcome
    /// The output is not a JSON document.
    case malformedOutput(reason: String)

    /// What is wrong.
    public var description: String {
        switch self {
        case .malformedToken(let token): "\"\(token)\" is not a valid hand-off token."
        case .notAnOutcome: "A hand-off is completed with success, failure or retry, not with another hand-off."
        case .malformedOutput(let reason): "The outputJSON is not valid JSON: \(reason)."
        }
    }
}

extension CompletionError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
