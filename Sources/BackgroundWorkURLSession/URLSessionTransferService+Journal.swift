import BackgroundWorkFoundation
import BackgroundWorkStorage
import BackgroundWorkTransfers

// What it knows of its transfers, as its journal has it.
extension URLSessionTransferService {
    func journal() throws -> (journal: SessionJournal, staging: StagingArea) {
        if let opened { return opened }
        do {
            let staging = try StagingArea(folder: folder, report: report)
            let path = folder + "/journal.sqlite"
            let isLogLeft = LogEmptying.isLeft(byLogOf: path)
            let (journal, aside) = try DatabaseFile(path: path).open(at: clock.now) { try SessionJournal(path: path) }
            if let aside { report("The journal of the URL sessions is damaged. It was set aside as \(aside).") }
            for transfer in try journal.transfers(report: report) {
                add(transfer.moved(by: folders))
            }
            opened = (journal, staging)
            if isLogLeft { planEmptying(logEmptying.want()) }
            return (journal, staging)
        } catch {
            throw AgentFailure(code: .storage, message: "The journal of the URL sessions cannot be used: \(error)")
        }
    }

    /// Throws when the transfer was forgotten in the meantime, too.
    func save(_ transfer: SessionTransfer) throws {
        guard transfers[transfer.reference]?.number == transfer.number else {
            throw AgentFailure(
                code: .unknownTransfer, message: "Transfer \(transfer.reference) was cancelled in the meantime.")
        }
        do {
            try journal().journal.update(transfer)
        } catch {
            throw AgentFailure(
                code: .storage, message: "Transfer \(transfer.reference) could not be recorded: \(error)")
        }
        transfers[transfer.reference] = transfer
    }

    /// Whether a transfer of this directory, or one that its state file has, goes by a number.
    func isTaken(_ identifier: Int64, in session: String) throws -> Bool {
        try identifiers[session]?.contains(identifier) ?? false
            || stateStore.entry(session: session, task: identifier) != nil
    }

    /// From now on the transfer is known.
    func add(_ transfer: SessionTransfer) {
        transfers[transfer.reference] = transfer
        identifiers[transfer.session, default: []].insert(transfer.identifier)
    }

    func forget(_ references: [TransferReference]) throws {
        if references.isEmpty { return }
        let (journal, staging) = try journal()
        let forgotten = references.compactMap { transfers[$0] }
        try journal.delete(forgotten.map(\.number))
        for reference in references {
            if let known = transfers.removeValue(forKey: reference) {
                identifiers[known.session]?.remove(known.identifier)
                backlog.settled(reference, in: known.session)
            }
            tasks.removeValue(forKey: reference)?.cancel()
            forgetProgress(of: reference)
        }
        forgotten.forEach(staging.remove)
        if forgotten.contains(where: \.hasSecrets) { planEmptying(logEmptying.want()) }
    }

    func forgetProgress(of reference: TransferReference) {
        rejections[reference] = nil
        answers[reference] = nil
        fetchedAgain.remove(reference)
        counts[reference] = nil
        timers.removeValue(forKey: reference)?.cancel()
    }
}
