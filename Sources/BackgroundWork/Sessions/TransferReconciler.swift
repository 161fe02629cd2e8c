import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers

/// Compares what the daemon knows with the state file and the work store, and puts right what can be put right without
/// a guess. It never asks the daemon itself: it runs while a connection is being made.
struct TransferReconciler: Sendable {
    /// What was found, and what is to be said to the daemon once it can be talked to.
    struct Findings: Sendable {
        var report: TransferReconciliation
        var holds: [(reference: TransferReference, isHeld: Bool)] = []
        fileprivate var missing: [(transfer: TransferSnapshot, workerName: String)] = []
        fileprivate var settled: [TransferEntry] = []
    }

    /// The daemon cuts longer paths in its lists.
    private static let longestToldPath = 999

    var store: WorkStore
    var stateStore: TransferStateStore
    var clock: any WorkClock

    /// - Parameter isJournalNew: whether the daemon has lost what it knew; what it lacks then has been dealt with.
    func run(_ transfers: [TransferSnapshot], isJournalNew: Bool) async throws -> Findings {
        // After the list was made: an entry that has come since has work that runs, and is left alone.
        let entries = try await stateStore.loadEntries()
        let (identity, now) = (store.identity, clock.now)
        let ours = transfers.filter { $0.reference.store == identity }
        if ours.isEmpty, entries.isEmpty { return Findings(report: TransferReconciliation(date: now)) }
        var findings = try await store.write { transaction in
            var findings = Findings(report: TransferReconciliation(date: now))
            try compare(ours, with: entries, in: transaction, &findings)
            try look(at: entries, without: Set(ours.map(\.reference)), isJournalNew, in: transaction, &findings)
            return findings
        }
        for (transfer, workerName) in findings.missing {
            try await stateStore.put(
                TransferEntry(
                    sessionIdentifier: transfer.sessionIdentifier, taskIdentifier: transfer.taskIdentifier,
                    savePath: transfer.savePath, workerName: workerName, createdAt: WallTime(now),
                    reference: transfer.reference))
        }
        for entry in findings.settled {
            try await stateStore.remove(session: entry.sessionIdentifier, task: entry.taskIdentifier)
        }
        findings.report.entriesRebuilt = findings.missing.map { .init($0.transfer) }
        return findings
    }

    private func compare(
        _ transfers: [TransferSnapshot], with entries: [TransferEntry], in transaction: WorkTransaction,
        _ findings: inout Findings
    ) throws {
        let toBeCancelled = Set(try transaction.outbox().map(\.key))
        let known = Set(entries.compactMap(\.reference))
        let names = Set(entries.map(\.name))
        // An outcome that waits is delivered, and finds out by itself where its work stands.
        for transfer in transfers where transfer.state != .finished {
            let key = transfer.reference.key
            guard !toBeCancelled.contains(key) else { continue }
            guard let record = try transaction.record(id: key.workID), Self.isCurrent(record, key) else {
                try transaction.requestCancellation(of: key)
                findings.report.transfersCancelled.append(.init(transfer))
                continue
            }
            let isHeld = record.flags.contains(.holdsTransfer)
            if isHeld != (transfer.phase == .paused), record.status.state == .handedOff {
                findings.holds.append((transfer.reference, isHeld))
                findings.report.pausesRenewed.append(.init(transfer))
            }
            // A worker that will run, or runs, writes the entry itself.
            guard record.status.state == .handedOff, !known.contains(transfer.reference) else { continue }
            let name = TransferEntry.name(session: transfer.sessionIdentifier, task: transfer.taskIdentifier)
            if (1...Self.longestToldPath).contains(transfer.savePath.count), !names.contains(name) {
                findings.missing.append((transfer, record.workerName))
            } else {
                findings.report.leftWithoutEntry.append(.init(transfer))
            }
        }
    }

    private func look(
        at entries: [TransferEntry], without transfers: Set<TransferReference>, _ isJournalNew: Bool,
        in transaction: WorkTransaction, _ findings: inout Findings
    ) throws {
        for entry in entries {
            // Entries of another store, and of the ancestor, are the sweep's.
            guard let reference = entry.reference, reference.store == store.identity,
                !transfers.contains(reference)
            else { continue }
            let record = try transaction.record(id: reference.key.workID)
            if let record, Self.isCurrent(record, reference.key) {
                guard record.status.state == .handedOff, !isJournalNew else { continue }
                findings.report.unknownToDaemon.append(.init(entry, of: reference))
            } else {
                findings.settled.append(entry)
                findings.report.entriesRemoved.append(.init(entry, of: reference))
            }
        }
    }

    private static func isCurrent(_ record: WorkRecord, _ key: TransferKey) -> Bool {
        record.status.generation == key.generation && !record.status.state.isFinished
    }
}
