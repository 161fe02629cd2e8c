import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers

/// Drops what the state file still remembers of transfers that the daemon says it does not know.
struct StaleStateSweep: Sendable {
    var store: WorkStore
    var stateStore: TransferStateStore
    var service: (any TransferService)?
    var clock: any WorkClock

    func run(maximumAge: Duration) async throws -> SweepReport {
        var report = SweepReport()
        let now = WallTime(clock.now)
        let age = maximumAge.milliseconds
        let oldest = now.advanced(byMs: age == .min ? .max : -age)
        let entries = try await stateStore.loadEntries()
        report.entriesFound = entries.count
        let aged = entries.filter { $0.createdAt < oldest }
        // Without an old entry nobody needs to be asked, and no daemon started.
        guard !aged.isEmpty else { return report }
        guard let service else {
            report.daemonError = UnsupportedTransfersError().description
            return report
        }
        let known: Set<TransferIdentity>
        do {
            known = Set(
                try await service.transfers().map {
                    TransferIdentity(session: $0.sessionIdentifier, task: $0.taskIdentifier)
                })
        } catch {
            report.daemonError = "\(error)"
            return report
        }
        let isKnown = { (entry: TransferEntry) in
            known.contains(TransferIdentity(session: entry.sessionIdentifier, task: entry.taskIdentifier))
        }
        let lost = aged.filter { !isKnown($0) }
        report.entriesStillKnown = aged.count - lost.count
        let settled = try await settle(lost, now: now)
        report.dropped = settled.map {
            SweepReport.DroppedEntry(
                sessionIdentifier: $0.sessionIdentifier, taskIdentifier: $0.taskIdentifier, savePath: $0.savePath,
                workID: $0.reference?.key.workID)
        }
        // A sweep that dies before this line settles them again, which changes nothing, and removes them then.
        try await stateStore.remove(settled)
        return report
    }

    /// So many are settled in one commit: other work goes on between two.
    private static let batch = 4096

    /// Fails the work that still waits for these transfers, and returns the entries that need not stay.
    private func settle(_ entries: [TransferEntry], now: WallTime) async throws -> [TransferEntry] {
        let identity = store.identity
        var settled: [TransferEntry] = []
        for start in stride(from: 0, to: entries.count, by: Self.batch) {
            let batch = Array(entries[start..<min(start + Self.batch, entries.count)])
            settled += try await store.write { transaction in
                try batch.filter { try Self.settle($0, of: identity, in: transaction, now: now) }
            }
        }
        return settled
    }

    /// `false` if the entry has to stay.
    private static func settle(
        _ entry: TransferEntry, of identity: String, in transaction: WorkTransaction, now: WallTime
    ) throws -> Bool {
        guard let reference = entry.reference else { return true }
        if reference.store != identity {
            // Its store was begun anew; the item is built so that somebody hears of the loss.
            guard try transaction.record(id: reference.key.workID) == nil else { return true }
            _ = try transaction.rebuild(key: reference.key, workerName: entry.workerName, now: now)
        }
        guard let record = try transaction.record(id: reference.key.workID),
            record.status.generation == reference.key.generation
        else { return true }
        let message =
            "the daemon does not know the transfer of \(entry.savePath) any more, and its entry is older than the "
            + "sweep's limit; enqueue the request again"
        switch try transaction.apply(.sweptAsStale, to: reference.key, .init(message: message), now: now) {
        case .finishes, .refused(.alreadyFinished), .refused(.outdated): return true
        case .goesOn, .refused: return false
        }
    }

    private struct TransferIdentity: Hashable {
        var session: String
        var task: Int64
    }
}
