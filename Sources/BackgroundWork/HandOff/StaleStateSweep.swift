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
        let age = maximumAge.milliseconds
        let oldest = WallTime(clock.now).advanced(byMs: age == .min ? .max : -age)
        let entries = try await stateStore.loadEntries()
        report.entriesFound = entries.count
        let aged = entries.filter { $0.createdAt < oldest }
        // Without an old entry there is no reason to ask the daemon, which may have to be started for it.
        guard !aged.isEmpty else { return report }
        guard let service else {
            report.daemonError = UnsupportedTransfersError().description
            return report
        }
        let transfers: [TransferSnapshot]
        do { transfers = try await service.transfers() } catch {
            report.daemonError = "\(error)"
            return report
        }
        let unknown = Reconciliation(entries: aged, transfers: transfers).unknownEntries
        report.entriesStillKnown = aged.count - unknown.count
        let reconciler = TransferReconciler(store: store, stateStore: stateStore, clock: clock)
        for start in stride(from: 0, to: unknown.count, by: Self.batch) {
            let batch = Array(unknown[start..<min(start + Self.batch, unknown.count)])
            // A sweep that dies before the entries are removed settles them again, which changes nothing.
            let removed = try await reconciler.run(batch, transfers: [], lost: .failed).removed
            report.dropped += removed.map {
                SweepReport.DroppedEntry(
                    sessionIdentifier: $0.sessionIdentifier, taskIdentifier: $0.taskIdentifier, savePath: $0.savePath,
                    workID: $0.reference?.key.workID, generation: $0.reference?.key.generation)
            }
        }
        return report
    }

    /// So many are settled in one commit: other work continues between two.
    private static let batch = 4096
}
