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

    init(_ transfers: [ShownTransfer]) { for transfer in transfers { known[transfer.number] = transfer } }

    /// Those that count, by number.
    var transfers: [ShownTransfer] {
        known.values.filter { !gone.contains($0.number) }.sorted { $0.number < $1.number }
    }

    var isDone: Bool { !known.values.contains { !$0.hasEnded && !gone.contains($0.number) } }

    /// Takes the agent's whole list; returns what is new in it.
    mutating func take(_ list: [ShownTransfer]) -> [Change] {
        var changes: [Change] = []
        for transfer in list where known[transfer.number] != transfer {
            // The list is older than a report that has told the end.
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

    /// Takes reports; those of transfers that no list has named yet wait for the next list.
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
#endif
