import BackgroundWorkFiles
import BackgroundWorkModel

/// What its worker is done with, and whose outcome is not final: handed off, or its file being moved into place.
final class ParkedTable {
    private let connection: SQLiteConnection

    init(connection: SQLiteConnection) { self.connection = connection }

    /// Puts the item there as the record says, in place of how it stood there.
    func store(_ record: WorkRecord) throws {
        try connection.run(
            "INSERT OR REPLACE INTO parked VALUES (?, ?, ?, ?, ?, ?, ?, ?)", .int(record.sequence),
            .int(record.status.state.rawValue), .optional(record.owner), .int(record.status.attempt),
            .optional(record.startedAt?.milliseconds), .optional(record.message),
            .optional(record.handOffExpires?.milliseconds), .optional(record.moveJSON))
    }

    func delete(_ sequence: Int64) throws { try connection.run("DELETE FROM parked WHERE seq = ?", .int(sequence)) }
}
