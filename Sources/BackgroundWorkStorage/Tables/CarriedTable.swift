import BackgroundWorkModel

/// What items carry from earlier attempts and occurrences. Most finish without such a row.
final class CarriedTable {
    private let connection: SQLiteConnection

    init(connection: SQLiteConnection) { self.connection = connection }

    /// Stores all of it as the record says.
    ///
    /// - Parameter outcome: how the item has ended, when no event says so any more.
    func store(_ record: WorkRecord, outcome: WorkState? = nil) throws {
        try connection.run(
            "INSERT OR REPLACE INTO carried VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            .int(record.sequence),
            .int(record.status.generation), .int(record.status.attempt), .int(record.status.deaths),
            .int(record.due.milliseconds), .int(record.flags.subtracting(.ofRequest).rawValue),
            .int(record.occurrence), .optional(record.planned?.milliseconds),
            .optional(record.startedAt?.milliseconds), .optional(record.triggeredAt?.milliseconds),
            .optional(record.message), .optional(record.checkpoint),
            .optional(try record.progress.map { try StoredJSON.encode($0) }),
            .optional(outcome.map { Int64($0.rawValue) }), .optional(record.outputJSON),
            .optional(outcome == nil ? nil : record.finishedAt?.milliseconds))
    }

    func delete(_ sequence: Int64) throws { try connection.run("DELETE FROM carried WHERE seq = ?", .int(sequence)) }
}
