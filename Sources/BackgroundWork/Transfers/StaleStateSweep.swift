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
        let oldest = now.advanced(byMs: -maximumAge.milliseconds)
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
        var settled: [TransferEntry] = []
        for entry in aged {
            if known.contains(TransferIdentity(session: entry.sessionIdentifier, task: entry.taskIdentifier)) {
                report.entriesStillKnown += 1
            } else if try await settle(entry, now: now) {
                settled.append(entry)
                report.dropped.append(
                    SweepReport.DroppedEntry(
                        sessionIdentifier: entry.sessionIdentifier, taskIdentifier: entry.taskIdentifier,
                        savePath: entry.savePath, workID: entry.reference?.key.workID))
            }
        }
        // A sweep that dies before this line settles them again, which changes nothing, and removes them then.
        try await stateStore.remove(settled)
        return report
    }

    /// Fails the entry's work if it still waits for the transfer; `false` if the entry has to stay.
    private func settle(_ entry: TransferEntry, now: WallTime) async throws -> Bool {
        let message =
            "the daemon does not know the transfer of \(entry.savePath) any more, and its entry is older than the "
            + "sweep's limit; enqueue the request again"
        let identity = store.identity
        return try await store.write { transaction in
            guard let reference = entry.reference else { return true }
            if reference.store != identity {
                // Its store was begun anew; the item is built so that somebody hears of the loss.
                guard try transaction.record(id: reference.key.workID) == nil else { return true }
                _ = try transaction.rebuild(key: reference.key, workerName: entry.workerName, now: now)
            }
            guard let record = try transaction.record(id: reference.key.workID),
                record.status.generation == reference.key.generation
            else { return true }
            switch try transaction.apply(.sweptAsStale, to: reference.key, .init(message: message), now: now) {
            case .finishes, .refused(.alreadyFinished), .refused(.outdated): return true
            case .goesOn, .refused: return false
            }
        }
    }

    private struct TransferIdentity: Hashable {
        var session: String
        var task: Int64
    }
}
