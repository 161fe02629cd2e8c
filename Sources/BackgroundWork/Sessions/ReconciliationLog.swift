import Synchronization

/// Keeps the newest reports of what was put right between work, state file and daemon.
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
