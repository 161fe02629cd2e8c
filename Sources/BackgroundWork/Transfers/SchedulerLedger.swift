import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers

/// The transfer completion's view of the work store.
struct SchedulerLedger: TransferLedger {
    var store: WorkStore
    var ownership: Ownership
    var clock: any WorkClock
    var random: @Sendable () -> Double
    private static let longestAskedWaitMs: Int64 = 86_400_000

    func standing(for outcome: TransferOutcome) async throws -> TransferStanding {
        let key = outcome.reference.key
        let isOfThisStore = outcome.reference.store == store.identity
        let now = WallTime(clock.now)
        let record = try await store.write { transaction -> WorkRecord? in
            if let known = try transaction.record(id: key.workID) {
                guard isOfThisStore else { return nil }
                // Out of the queue at once, so that no worker hands the same transfer off beside this.
                let transition = try transaction.apply(.outcomeIsThere, to: key, now: now)
                if case .goesOn = transition { return try transaction.record(id: key.workID) }
                return known
            }
            // An item of this store that is gone has finished and been pruned, or was replaced.
            if isOfThisStore { return nil }
            return try transaction.rebuild(key: key, workerName: outcome.workerName, now: now)
        }
        guard let record, record.status.generation == key.generation, !record.status.state.isFinished else {
            return .settled
        }
        guard record.status.state == .finishing else { return .awaited(key) }
        guard let move = record.move else { return .settled }
        if let owner = record.owner, owner != (try await ownership.identifier()), try await ownership.isAlive(owner) {
            return .inOtherHands
        }
        return .interrupted(key, move)
    }

    func fileArrived(_ key: TransferKey, move: FileMove) async throws -> Bool {
        let owner = try await ownership.identifier()
        let now = WallTime(clock.now)
        return try await store.write { transaction in
            let transition = try transaction.apply(
                .fileArrived, to: key, .init(move: move), owner: owner, now: now)
            if case .goesOn = transition { return true }
            return false
        }
    }

    func fileRedirected(_ key: TransferKey, move: FileMove) async throws -> Bool {
        let owner = try await ownership.identifier()
        let now = WallTime(clock.now)
        return try await store.write { transaction in
            let transition = try transaction.apply(
                .fileRedirected, to: key, .init(move: move), owner: owner, now: now)
            if case .goesOn = transition { return true }
            return false
        }
    }

    func transferSucceeded(_ key: TransferKey, message: String, outputJSON: String) async throws {
        let now = WallTime(clock.now)
        _ = try await store.write { transaction in
            try transaction.apply(
                .outcomeFinal(.succeeded), to: key, .init(message: message, outputJSON: outputJSON), now: now)
        }
    }

    func fileMoved(_ key: TransferKey, message: String, outputJSON: String) async throws {
        let now = WallTime(clock.now)
        _ = try await store.write { transaction in
            try transaction.apply(
                .fileMoved, to: key, .init(message: message, outputJSON: outputJSON), now: now)
        }
    }

    func transferFailed(_ key: TransferKey, failure: TransferFailure) async throws {
        let now = WallTime(clock.now)
        let random = random()
        // A server may not put work off for ever.
        let after = failure.retryAfterMs.map { Duration.milliseconds(min($0, Self.longestAskedWaitMs)) }
        _ = try await store.write { transaction in
            failure.isRetryable
                ? try transaction.retryHandOff(
                    key, reason: failure.message, after: after, random: random, now: now)
                : try transaction.apply(.outcomeFinal(.failed), to: key, .init(message: failure.message), now: now)
        }
    }
}
