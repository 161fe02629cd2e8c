import BackgroundWorkModel

/// Makes items of rows. Lives on its connection's queue, as that does.
final class RecordReader {
    private let claimGroups: ClaimGroupTable
    /// The last extras, with their text: requests of a kind come together, and mostly ask for the same.
    private var last: (text: String, extras: WorkExtras)?

    init(_ claimGroups: ClaimGroupTable) { self.claimGroups = claimGroups }

    /// - Parameter row: of the view `items`, with ``WorkRecord/columns``.
    func record(_ row: borrowing SQLiteRow) throws -> WorkRecord {
        WorkRecord(row, claimGroup: try claimGroups.claimGroup(row.int(6)), extras(row.optionalText(10)))
    }

    private func extras(_ text: String?) -> WorkExtras {
        guard let text else { return WorkExtras() }
        if let last, last.text == text { return last.extras }
        let extras = (try? WorkExtras(stored: text)) ?? WorkExtras()
        last = (text, extras)
        return extras
    }
}
