import BackgroundWorkModel
import BackgroundWorkTransfers

/// Compares what the state file, the daemon and the records say of transfers, and says where they differ. It changes
/// nothing and does no I/O.
struct Reconciliation {
    /// What the records say of a transfer.
    enum Standing: Sendable, Hashable {
        /// There is no record of its work.
        case unknown
        /// Its work has finished, or has another generation now.
        case settled
        /// Its worker is to run or runs, or its file is being put in place: its entry and its transfer may come and go.
        case inProgress
        /// Its work waits for the outcome.
        case awaited(workerName: String, isHeld: Bool)
    }

    /// Where the three differ. What agrees is not named.
    enum Finding: Sendable, Hashable {
        /// The daemon has a transfer that no work waits for.
        case transferIsUnwanted(TransferSnapshot)
        /// The daemon does not have the pause, or the end of one, that the record has.
        case pauseDiffers(TransferSnapshot, isHeld: Bool)
        /// Work waits for a transfer of which the state file knows nothing.
        case entryIsMissing(TransferSnapshot, workerName: String)
        /// The same, and the daemon does not tell enough of it to make an entry.
        case entryCannotBeRebuilt(TransferSnapshot)
        /// The state file tells of a transfer that no work waits for, and the daemon does not have it.
        case entryIsSettled(TransferEntry)
        /// Work waits for a transfer that the daemon does not know.
        case transferIsLost(TransferEntry)
    }

    /// The daemon cuts longer paths in its lists.
    private static let longestToldPath = 999

    /// Read after the daemon was asked: an entry that has come since has work that runs, and is left alone.
    var entries: [TransferEntry]
    /// What the daemon knows. `nil` if it was not asked; no transfer is lost then, and of entries only the records say
    /// whether they are settled.
    var transfers: [TransferSnapshot]?
    /// Transfers whose cancellation the daemon has not received.
    var toBeCancelled: Set<TransferKey> = []

    /// - Parameter standing: what the records say of a transfer, or of an entry that names none. What is
    ///   ``Standing/inProgress`` is left alone.
    func findings(standing: (TransferReference?) throws -> Standing) rethrows -> [Finding] {
        try findingsOfTransfers(standing) + findingsOfEntries(standing)
    }

    /// The entries of transfers that the daemon does not have: an entry is known by its reference, or by its number if it
    /// has none.
    var unknownEntries: [TransferEntry] {
        guard let transfers else { return entries }
        let references = Set(transfers.map(\.reference))
        let names = Set(
            transfers.map { TransferEntry.name(session: $0.sessionIdentifier, task: $0.taskIdentifier) })
        return entries.filter { !($0.reference.map(references.contains) ?? names.contains($0.name)) }
    }

    private func findingsOfTransfers(_ standing: (TransferReference?) throws -> Standing) rethrows -> [Finding] {
        let known = Set(entries.compactMap(\.reference))
        let names = Set(entries.map(\.name))
        var findings: [Finding] = []
        // An outcome that waits is delivered, and finds out by itself where its work stands.
        for transfer in transfers ?? [] where transfer.state != .finished {
            guard !toBeCancelled.contains(transfer.reference.key) else { continue }
            switch try standing(transfer.reference) {
            case .unknown, .settled: findings.append(.transferIsUnwanted(transfer))
            case .inProgress: break
            case .awaited(let workerName, let isHeld):
                if isHeld != (transfer.phase == .paused) { findings.append(.pauseDiffers(transfer, isHeld: isHeld)) }
                if known.contains(transfer.reference) { continue }
                let name = TransferEntry.name(session: transfer.sessionIdentifier, task: transfer.taskIdentifier)
                let isTold = (1...Self.longestToldPath).contains(transfer.savePath.count)
                findings.append(
                    isTold && !names.contains(name)
                        ? .entryIsMissing(transfer, workerName: workerName) : .entryCannotBeRebuilt(transfer))
            }
        }
        return findings
    }

    private func findingsOfEntries(_ standing: (TransferReference?) throws -> Standing) rethrows -> [Finding] {
        try unknownEntries.compactMap { entry in
            switch try standing(entry.reference) {
            case .unknown, .settled: .entryIsSettled(entry)
            case .inProgress: nil
            case .awaited: transfers == nil ? nil : .transferIsLost(entry)
            }
        }
    }
}
