import BackgroundWorkModel

extension TaskCompletionEvent {
    static let columns = """
        seq, work_id, worker, chain, step, occurrence, attempt, outcome, message, output, metadata, started_at, \
        finished_at
        """

    init(_ row: borrowing SQLiteRow) {
        self.init(
            sequence: row.int(0), workID: row.text(1), taskName: row.text(2), chainID: row.optionalText(3),
            stepIndex: Int(row.int(4)), occurrence: Int(row.int(5)), attempt: Int(row.int(6)),
            outcome: WorkOutcome(rawValue: row.text(7)) ?? .failed, message: row.optionalText(8),
            outputJSON: row.optionalText(9), metadata: row.optionalText(10).flatMap(StoredJSON.decode) ?? [:],
            startedAt: row.optionalInt(11).map { WallTime(milliseconds: $0).date },
            finishedAt: WallTime(milliseconds: row.int(12)).date)
    }
}
