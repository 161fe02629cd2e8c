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

    /// What the transaction has found of an item.
    private enum Finding {
        case settled, awaited
        case moving(FileMove)
        /// Its move was begun before.
        case interrupted(FileMove, owner: Int64?)
    }

    func standing(
        for outcome: TransferOutcome, move: @escaping @Sendable () -> FileMove?
    ) async throws -> TransferStanding {
        let key = outcome.reference.key
        let isOfThisStore = outcome.reference.store == store.identity
        let owner = try await ownership.identifier()
        let now = WallTime(clock.now)
        let finding = try await store.write { transaction -> Finding in
            guard let known = try transaction.record(id: key.workID) else {
                // An item of this store that is gone has finished and been pruned, or was replaced.
                if isOfThisStore { return .settled }
                return try transaction.rebuild(key: key, workerName: outcome.workerName, now: now) == nil
                    ? .settled : .awaited
            }
            // An item that an earlier try of this outcome has made is this outcome's: no other download has no input.
            let isRebuilt = known.inputJSON == nil && known.workerName == outcome.workerName
            guard isOfThisStore || isRebuilt, known.status.generation == key.generation, !known.status.state.isFinished
            else {
                return .settled
            }
            if known.status.state == .finishing {
                return known.move.map { .interrupted($0, owner: known.owner) } ?? .settled
            }
            if let move = move(),
                case .continues = try transaction.apply(
                    .fileArrived, to: known, .init(move: move), owner: owner, now: now)
            {
                return .moving(move)
            }
            // Out of the queue at once, so that no worker hands the same transfer off beside this.
            _ = try transaction.apply(.outcomeIsThere, to: known, now: now)
            return .awaited
        }
        switch finding {
        case .settled: return .settled
        case .awaited: return .awaited
        case .moving(let move): return .moving(move)
        case .interrupted(let move, let other):
            if let other, other != owner, try await ownership.isAlive(other) { return .ownedElsewhere }
            return .moving(move)
        }
    }

    func fileArrived(_ key: TransferKey, move: FileMove) async throws -> Bool {
        let owner = try await ownership.identifier()
        let now = WallTime(clock.now)
        return try await store.write { transaction in
            let transition = try transaction.apply(
                .fileArrived, to: key, .init(move: move), owner: owner, now: now)
            if case .continues = transition { return true }
            return false
        }
    }

    func fileRedirected(_ key: TransferKey, move: FileMove) async throws -> Bool {
        let owner = try await ownership.identifier()
        let now = WallTime(clock.now)
        return try await store.write { transaction in
            let transition = try transaction.apply(
                .fileRedirected, to: key, .init(move: move), owner: owner, now: now)
            if case .continues = transition { return true }
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
            if failure.isRetryable {
                // Without one what an earlier attempt has left is outdated.
                try transaction.keep(checkpoint: failure.resumeToken.map { try $0.json }, of: key)
            }
            return failure.isRetryable
                ? try transaction.retryHandOff(
                    key, reason: failure.message, after: after, random: random, now: now)
                : try transaction.apply(.outcomeFinal(.failed), to: key, .init(message: failure.message), now: now)
        }
    }
}
