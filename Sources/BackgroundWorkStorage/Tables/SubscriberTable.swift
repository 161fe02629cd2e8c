/// How far durable subscribers have come.
final class SubscriberTable {
    private let connection: SQLiteConnection
    private lazy var acknowledging = Result {
        try connection.statement(
            """
            UPDATE subscribers SET acknowledged = ?1 WHERE name = ?2 AND acknowledged = ?1 - 1 \
            AND NOT EXISTS (SELECT 1 FROM acknowledgements WHERE name = ?2)
            """,
            seesDeferredRows: false)
    }

    init(connection: SQLiteConnection) { self.connection = connection }

    /// Moves the cursor to the event that follows it, if nothing was acknowledged beyond; `false` if nothing was changed.
    func acknowledgeNext(_ sequence: Int64, by name: String) throws -> Bool {
        let statement = try acknowledging.get()
        statement.bind(1, sequence)
        statement.bind(2, name)
        return try statement.run() > 0
    }
}
