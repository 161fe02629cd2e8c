import BackgroundWorkModel
import BackgroundWorkStorage

extension WorkScheduler {
    /// Cancels the work item or the chain of that id. Durable when it returns.
    ///
    /// Each item that had not finished ends as cancelled, with its event. A running worker's task is cancelled and its
    /// result ignored; a transfer that was handed off is cancelled with the daemon, as soon as that can be reached.
    @discardableResult
    public func cancel(id: String) async throws -> CancelResult {
        let now = WallTime(configuration.clock.now)
        return try await store.write { transaction in
            let item = try transaction.record(id: id)
            let records = try item.map { [$0] } ?? transaction.records(chainID: id)
            if records.isEmpty { return .unknown }
            let eventsBefore = transaction.summary.events.count
            var isTooLate = false
            for record in records {
                let transition = try transaction.apply(
                    .cancelled, to: record.transferKey, .init(message: "cancelled"), now: now)
                if transition == .refused(.tooLate) { isTooLate = true }
            }
            // Cancelling a member ends those after it as well, so the events are what counts.
            let cancelled = transaction.summary.events.count - eventsBefore
            if cancelled == 0 { return isTooLate ? .tooLate : .alreadyFinished }
            return .cancelled(items: cancelled)
        }
    }

    /// What is known of the item with this id; `nil` if there is none, or it has been forgotten since.
    public func info(id: String) async throws -> WorkInfo? {
        try await store.write { try $0.record(id: id) }.map(WorkInfo.init)
    }

    /// What is known of a chain's members, in order; empty if there is no such chain.
    public func infos(chainID: String) async throws -> [WorkInfo] {
        try await store.write { try $0.records(chainID: chainID) }.map(WorkInfo.init)
    }

    /// Brings the outcome of work that its worker handed off. Durable when it returns.
    ///
    /// May be called in any process, more than once, and before the worker has returned: the first outcome counts.
    /// Throws ``CompletionError`` for what is no outcome.
    public func complete(_ token: HandOffToken, with result: WorkerResult) async throws -> CompletionAnswer {
        guard let key = token.key else { throw CompletionError.malformedToken(token.rawValue) }
        let now = WallTime(configuration.clock.now)
        let random = configuration.random()
        switch result {
        case .handedOff: throw CompletionError.notAnOutcome
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
        case .handedOff(_, let message): return (.workerHandedOff, .init(message: message))
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
