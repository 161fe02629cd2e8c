import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkTransfers
import Synchronization

/// Where the work store, the state file and the daemon did not agree, and what was done.
public struct TransferReconciliation: Sendable, Hashable, CustomStringConvertible {
    /// A transfer that was found on one side only.
    public struct Transfer: Sendable, Hashable {
        /// The work item that it was handed off for.
        public var workID: String
        /// Which of the item's hand-offs it was: another generation may have a transfer that goes on.
        public var generation: Int64
        /// The session that it belongs to.
        public var sessionIdentifier: String
        /// Its number in that session.
        public var taskIdentifier: Int64
        /// Where the file will be, or the file that is sent.
        public var path: String
    }

    /// When they were compared, on the wall clock.
    public var date: Date
    /// Transfers that work waits for and that were missing in the state file; their entries were added.
    public var entriesRebuilt: [Transfer] = []
    /// Entries without a transfer whose work has finished, no longer exists or has continued; they were removed.
    public var entriesRemoved: [Transfer] = []
    /// Transfers whose work has finished, no longer exists or has continued; the daemon gets their cancellation.
    public var transfersCancelled: [Transfer] = []
    /// Transfers that were lost with the daemon's journal; their work hands them off again.
    public var submittedAgain: [Transfer] = []
    /// Transfers that were paused or resumed while the daemon could not be reached; it gets that now.
    public var pausesRenewed: [Transfer] = []
    /// Work waits for them, there is an entry, and the daemon does not know them although its journal is complete.
    /// They are left to ``WorkScheduler/sweepStaleStateOnLaunch(olderThan:)``.
    public var unknownToDaemon: [Transfer] = []
    /// Transfers without an entry that work waits for, of which the daemon does not report the whole path. Their
    /// outcome is processed nevertheless.
    public var leftWithoutEntry: [Transfer] = []

    init(date: Date) { self.date = date }

    private var parts: [(noun: (one: String, several: String), words: String, transfers: [Transfer])] {
        let (entry, transfer, pause) = (("entry", "entries"), ("transfer", "transfers"), ("pause", "pauses"))
        return [
            (entry, "rebuilt", entriesRebuilt), (entry, "removed", entriesRemoved),
            (transfer, "cancelled", transfersCancelled), (transfer, "handed off again", submittedAgain),
            (pause, "renewed", pausesRenewed), (transfer, "that the daemon does not know", unknownToDaemon),
            (transfer, "left without an entry", leftWithoutEntry),
        ]
    }

    /// Whether all three agreed.
    public var isEmpty: Bool { parts.allSatisfy(\.transfers.isEmpty) }

    /// The number of transfers of each kind, and their work, each as `workID#generation`.
    public var description: String {
        let found = parts.filter { !$0.transfers.isEmpty }.map { noun, words, transfers in
            let count = Listing.count(transfers.count, noun.one, noun.several)
            return "\(count) \(words) (\(Listing.few(transfers.map { "\($0.key)" })))"
        }
        return found.isEmpty ? "work, state file and daemon agree" : found.joined(separator: "; ")
    }
}

extension TransferReconciliation.Transfer {
    init(_ snapshot: TransferSnapshot) {
        self.init(
            workID: snapshot.reference.key.workID, generation: snapshot.reference.key.generation,
            sessionIdentifier: snapshot.sessionIdentifier, taskIdentifier: snapshot.taskIdentifier,
            path: snapshot.savePath)
    }

    init(_ entry: TransferEntry, of reference: TransferReference) {
        self.init(
            workID: reference.key.workID, generation: reference.key.generation,
            sessionIdentifier: entry.sessionIdentifier, taskIdentifier: entry.taskIdentifier, path: entry.savePath)
    }

    fileprivate var key: TransferKey { TransferKey(workID: workID, generation: generation) }
}

/// Keeps the newest reports of repairs between work, state file and daemon.
final class ReconciliationLog: Sendable {
    private static let kept = 20
    private let reports = Mutex<[TransferReconciliation]>([])

    var newest: [TransferReconciliation] { reports.withLock { $0 } }

    func add(_ report: TransferReconciliation) {
        reports.withLock { reports in
            reports.append(report)
            if reports.count > Self.kept { reports.removeFirst() }
        }
    }
}
