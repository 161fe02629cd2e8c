import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers

/// Applies a ``Reconciliation`` of the work store: all that concerns the records in one commit, then the state file. It
/// never asks the daemon itself, since it runs while a connection is being made.
///
/// A death after the commit leaves entries of work that is settled; the next reconciliation removes them.
struct TransferReconciler: Sendable {
    /// What is done about work that waits for a transfer which the daemon does not know.
    enum LostTransfers: Sendable {
        /// It is only reported: the daemon may still be reading its journal.
        case reported
        /// The daemon has lost its journal, so the work is handed off again, under a new generation.
        case submittedAgain
        /// The transfer is given up, and its work fails with a reason. This includes entries that an earlier store of this
        /// directory or the ancestor has left.
        case failed
    }

    /// What was found and done, and what is left to be done by the caller.
    struct Outcome: Sendable {
        var report: TransferReconciliation
        /// Sent to the daemon when it is connected.
        var holds: [(reference: TransferReference, isHeld: Bool)] = []
        /// The entries that are not in the state file any longer.
        var removed: [TransferEntry] = []
        fileprivate var rebuilt: [TransferEntry] = []
    }

    var store: WorkStore
    var stateStore: TransferStateStore
    var clock: any WorkClock

    /// - Parameters:
    ///   - transfers: what the daemon knows; `nil` if it was not asked.
    ///   - epoch: of the daemon's journal, stored with the rest; `nil` if it is known already.
    func run(
        _ entries: [TransferEntry], transfers: [TransferSnapshot]?, lost: LostTransfers = .reported,
        epoch: String? = nil
    ) async throws -> Outcome {
        let now = clock.now
        let isDaemonIdle = transfers?.isEmpty ?? true
        if entries.isEmpty, isDaemonIdle, epoch == nil {
            return Outcome(report: TransferReconciliation(date: now))
        }
        let identity = store.identity
        let outcome = try await store.write { transaction in
            var outcome = Outcome(report: TransferReconciliation(date: now))
            let toBeCancelled = isDaemonIdle ? [] : Set(try transaction.outbox().map(\.key))
            let comparison = Reconciliation(entries: entries, transfers: transfers, toBeCancelled: toBeCancelled)
            let findings = try comparison.findings { reference in
                try transaction.standing(of: reference, inStore: identity, includingForeign: lost == .failed)
            }
            for finding in findings {
                try Self.apply(finding, lost, in: transaction, now: WallTime(now), &outcome)
            }
            if let epoch { try transaction.setMeta(MetaKey.agentEpoch, epoch) }
            return outcome
        }
        try await stateStore.put(outcome.rebuilt)
        try await stateStore.remove(outcome.removed)
        return outcome
    }

    private static func apply(
        _ finding: Reconciliation.Finding, _ lost: LostTransfers, in transaction: WorkTransaction, now: WallTime,
        _ outcome: inout Outcome
    ) throws {
        switch finding {
        case .transferIsUnwanted(let transfer):
            try transaction.requestCancellation(of: transfer.reference.key)
            outcome.report.transfersCancelled.append(.init(transfer))
        case .pauseDiffers(let transfer, let isHeld):
            outcome.holds.append((transfer.reference, isHeld))
            outcome.report.pausesRenewed.append(.init(transfer))
        case .entryIsMissing(let transfer, let workerName):
            outcome.rebuilt.append(
                TransferEntry(
                    sessionIdentifier: transfer.sessionIdentifier, taskIdentifier: transfer.taskIdentifier,
                    savePath: transfer.savePath, workerName: workerName, createdAt: now,
                    reference: transfer.reference))
            outcome.report.entriesRebuilt.append(.init(transfer))
        case .entryCannotBeRebuilt(let transfer): outcome.report.leftWithoutEntry.append(.init(transfer))
        case .entryIsSettled(let entry):
            outcome.removed.append(entry)
            if let reference = entry.reference { outcome.report.entriesRemoved.append(.init(entry, of: reference)) }
        case .transferIsLost(let entry):
            guard let reference = entry.reference else { return }
            switch lost {
            case .reported: outcome.report.unknownToDaemon.append(.init(entry, of: reference))
            case .submittedAgain:
                let transition = try transaction.apply(
                    .handOffLost, to: reference.key,
                    .init(message: "the daemon lost its journal, so the transfer is submitted again"), now: now)
                outcome.removed.append(entry)
                if case .continues = transition { outcome.report.submittedAgain.append(.init(entry, of: reference)) }
            case .failed:
                if try fail(entry, reference, in: transaction, now: now) { outcome.removed.append(entry) }
            }
        }
    }

    /// Fails the work that waits for a transfer; `false` if it is not in a state for that, and its entry has to stay.
    private static func fail(
        _ entry: TransferEntry, _ reference: TransferReference, in transaction: WorkTransaction, now: WallTime
    ) throws -> Bool {
        if try transaction.record(id: reference.key.workID) == nil {
            // Its store was replaced by a new one: without an item there would be no event that reports the loss.
            _ = try transaction.rebuild(key: reference.key, workerName: entry.workerName, now: now)
        }
        let message =
            "the daemon no longer knows the transfer of \(entry.savePath), and its entry is older than the "
            + "sweep's limit; enqueue the request again"
        switch try transaction.apply(.sweptAsStale, to: reference.key, .init(message: message), now: now) {
        case .finishes, .refused(.alreadyFinished), .refused(.outdated): return true
        case .continues, .refused: return false
        }
    }
}

extension WorkTransaction {
    /// - Parameter includingForeign: whether what another store or the ancestor has left is judged as well; otherwise it
    ///   is left alone.
    fileprivate func standing(
        of reference: TransferReference?, inStore identity: String, includingForeign: Bool
    ) throws -> Reconciliation.Standing {
        guard let reference else { return includingForeign ? .unknown : .inProgress }
        let record = try record(id: reference.key.workID)
        guard reference.store == identity else {
            // An id that is in use here is that of other work.
            if !includingForeign { return .inProgress }
            return record == nil ? .awaited(workerName: "", isHeld: false) : .settled
        }
        guard let record else { return .unknown }
        guard record.status.generation == reference.key.generation, !record.status.state.isFinished else {
            return .settled
        }
        guard record.status.state == .handedOff else { return .inProgress }
        return .awaited(workerName: record.workerName, isHeld: record.flags.contains(.holdsTransfer))
    }
}
