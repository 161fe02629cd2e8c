import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers

/// The journal's list of transfers.
extension Journal {
    private static let pageSize = 256
    /// Small enough that a page fits into a frame, even if each character takes several bytes there.
    private static let pageBytes = 128 << 10

    /// The transfers with identifiers above `after`, in order, and the start of the following page.
    func snapshots(after: Int64) throws -> (list: [TransferSnapshot], next: Int64?) {
        var list: [TransferSnapshot] = []
        var last: Int64 = 0
        var rows = 0
        var room = Self.pageBytes
        try connection.rows(
            """
            SELECT task, store, key, session, state, total, checkpoint, specification, paused, outcome FROM transfers
            WHERE task > ? ORDER BY task LIMIT ?
            """, .int(after), .int(Self.pageSize)
        ) { row in
            rows += 1
            guard room > 0 else { return }
            last = row.int(0)
            guard let snapshot = try snapshot(row) else { return }
            list.append(snapshot)
            room -= snapshot.textBytes
        }
        return (list, rows == Self.pageSize || room <= 0 ? last : nil)
    }

    private func snapshot(_ row: borrowing SQLiteRow) throws -> TransferSnapshot? {
        guard let key = TransferKey(row.text(2)) else { return nil }
        let state = try state(of: row, 4)
        // A transfer whose specification cannot be read is still listed and can be canceled.
        let specification = try? FastJSON.value(TransferSpecification.self, from: row.text(7))
        let outcome = try? row.optionalText(9).map { try FastJSON.value(TransferOutcome.self, from: $0) }
        let isPaused = row.int(8) != 0
        let phase: TransferPhase =
            switch (state, outcome?.result) {
            case (.finished, .failed(let failure)): .failed(message: failure.message.cut(to: 500))
            case (.finished, _): .succeeded
            case (_, _) where isPaused: .paused
            case (.reserved, _): .waiting(.host)
            case (.active, _): .waiting(.slot)
            }
        return TransferSnapshot(
            reference: TransferReference(store: row.text(1), key: key), sessionIdentifier: row.text(3),
            taskIdentifier: row.int(0), state: state, receivedBytes: row.int(6), totalBytes: row.optionalInt(5),
            url: specification.map { TransferURL($0.url).redacted.cut(to: 1000) } ?? "",
            savePath: (specification?.savePath ?? "").cut(to: 1000),
            isUpload: specification?.job.isUpload ?? false, priority: specification?.options.priority ?? .normal,
            group: specification?.options.group, phase: phase)
    }
}

extension TransferSnapshot {
    /// The size of its texts, with a reserve for the rest.
    fileprivate var textBytes: Int {
        let texts = [reference.store, reference.key.workID, sessionIdentifier, url, savePath, group ?? ""]
        return texts.reduce(500) { $0 + $1.utf8.count }
    }
}

extension String {
    /// By scalars: a single character may consist of any number of them.
    fileprivate func cut(to count: Int) -> String { String(unicodeScalars.prefix(count)) }
}
