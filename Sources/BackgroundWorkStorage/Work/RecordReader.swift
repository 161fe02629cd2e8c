import BackgroundWorkModel

/// Makes items of rows. Lives on its connection's queue, as that does.
final class RecordReader {
    private let claimGroups: ClaimGroupTable
    /// Requests of a kind come together, and mostly ask for the same.
    private let lastExtras = LastDecoded { try WorkExtras(stored: $0) }

    init(_ claimGroups: ClaimGroupTable) { self.claimGroups = claimGroups }

    /// - Parameter row: of the view `items`, with ``WorkRecord/columns``.
    func record(_ row: borrowing SQLiteRow) throws -> WorkRecord {
        WorkRecord(row, claimGroup: try claimGroups.claimGroup(row.int(6)), extras(row.optionalText(10)))
    }

    private func extras(_ text: String?) -> WorkExtras {
        guard var text else { return WorkExtras() }
        return text.withUTF8 { try? lastExtras.value(from: $0) } ?? WorkExtras()
    }
}
