import BackgroundWorkConsole
import BackgroundWorkTransfers

/// What is known of the transfers seen since the watch started.
struct WatchBoard {
    struct Change {
        var transfer: ShownTransfer
        /// The agent no longer knows it, and its end was not reported.
        var isGone = false
    }

    private var known: [Int64: ShownTransfer] = [:]
    private var gone: Set<Int64> = []

    init(_ transfers: [ShownTransfer]) { for transfer in transfers { known[transfer.number] = transfer } }

    /// The transfers to show, by number.
    var transfers: [ShownTransfer] {
        known.values.filter { !gone.contains($0.number) }.sorted { $0.number < $1.number }
    }

    var isDone: Bool { !known.values.contains { !$0.hasEnded && !gone.contains($0.number) } }

    /// Applies the agent's complete list; returns the changes.
    mutating func take(_ list: [ShownTransfer]) -> [Change] {
        var changes: [Change] = []
        for transfer in list where known[transfer.number] != transfer {
            // The list is older than a report of the transfer's end.
            if known[transfer.number]?.hasEnded == true { continue }
            gone.remove(transfer.number)
            known[transfer.number] = transfer
            changes.append(Change(transfer: transfer))
        }
        let listed = Set(list.map(\.number))
        for transfer in transfers where !transfer.hasEnded && !listed.contains(transfer.number) {
            gone.insert(transfer.number)
            changes.append(Change(transfer: transfer, isGone: true))
        }
        return changes
    }

    /// Applies reports; those of transfers that are in no list yet wait for the next list.
    mutating func take(_ reports: [TransferProgress]) -> [Change] {
        reports.compactMap { report in
            guard var transfer = known[report.taskIdentifier], !transfer.hasEnded else { return nil }
            transfer.take(report)
            gone.remove(transfer.number)
            known[transfer.number] = transfer
            return Change(transfer: transfer)
        }
    }
}
