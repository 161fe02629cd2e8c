/// The cursors of durable subscribers.
final class SubscriberTable {
    /// A cursor that was directly before the event that moved it, with no later event acknowledged.
    private struct Cursor {
        var name: String
        var acknowledged: Int64
        /// Whether the row has this value already.
        var isStored: Bool
    }

    private let connection: SQLiteConnection
    /// The cursor that was moved last, as long as no statement runs that could read or change it.
    private var moving: Cursor?
    private lazy var acknowledging = Result {
        try connection.statement(
            """
            UPDATE subscribers SET acknowledged = ?1 WHERE name = ?2 AND acknowledged = ?1 - 1 \
            AND NOT EXISTS (SELECT 1 FROM acknowledgements WHERE name = ?2)
            """,
            seesDeferredRows: false)
    }
    private lazy var storing = Result {
        try connection.statement("UPDATE subscribers SET acknowledged = ? WHERE name = ?", seesDeferredRows: false)
    }

    init(connection: SQLiteConnection) { self.connection = connection }

    /// Moves the cursor to the next event, if no later event was acknowledged; `false` if nothing was changed.
    ///
    /// Of many acknowledgements in order the first one and the last one write the row.
    func acknowledgeNext(_ sequence: Int64, by name: String) throws -> Bool {
        if let moving, moving.name == name {
            guard moving.acknowledged == sequence - 1 else { return false }
            self.moving?.acknowledged = sequence
            self.moving?.isStored = false
            return true
        }
        try writeDeferred()
        let statement = try acknowledging.get()
        statement.bind(1, sequence)
        statement.bind(2, name)
        guard try statement.run() > 0 else { return false }
        moving = Cursor(name: name, acknowledged: sequence, isStored: true)
        connection.hasDeferredRows = true
        return true
    }

    func writeDeferred() throws {
        defer { discardDeferred() }
        guard let moving, !moving.isStored else { return }
        let statement = try storing.get()
        statement.bind(1, moving.acknowledged)
        statement.bind(2, moving.name)
        try statement.run()
    }

    func discardDeferred() { moving = nil }
}
