#if os(Linux)
import BackgroundWorkConsole
import BackgroundWorkTransfers

/// What is known of the transfers that were seen since the watch began.
struct WatchBoard {
    struct Change {
        var transfer: ShownTransfer
        /// The agent does not know it any more, and its end was not told.
        var isGone = false
    }

    private var known: [Int64: ShownTransfer] = [:]
    private var gone: Set<Int64> = []

    init(_ transfers: [ShownTransfer]) { for transfer in transfers { known[transfer.task] = transfer } }

    /// Those that count, by task number.
    var transfers: [ShownTransfer] {
        known.values.filter { !gone.contains($0.task) }.sorted { $0.task < $1.task }
    }

    var isDone: Bool { !known.values.contains { !$0.hasEnded && !gone.contains($0.task) } }

    /// Takes the agent's whole list; returns what is new in it.
    mutating func take(_ list: [ShownTransfer]) -> [Change] {
        var changes: [Change] = []
        for transfer in list where known[transfer.task] != transfer {
            // The list is older than a report that has told the end.
            if known[transfer.task]?.hasEnded == true { continue }
            gone.remove(transfer.task)
            known[transfer.task] = transfer
            changes.append(Change(transfer: transfer))
        }
        let listed = Set(list.map(\.task))
        for transfer in transfers where !transfer.hasEnded && !listed.contains(transfer.task) {
            gone.insert(transfer.task)
            changes.append(Change(transfer: transfer, isGone: true))
        }
        return changes
    }

    /// Takes reports; those of transfers that no list has named yet wait for the next list.
    mutating func take(_ reports: [TransferProgress]) -> [Change] {
        reports.compactMap { report in
            guard var transfer = known[report.taskIdentifier], !transfer.hasEnded else { return nil }
            transfer.take(report)
            gone.remove(transfer.task)
            known[transfer.task] = transfer
            return Change(transfer: transfer)
        }
    }
}
#endif
