import BackgroundWorkModel

/// What was claimed and has not come back.
final class RunTable {
    private let connection: SQLiteConnection
    private lazy var inserting = Result { try connection.statement("INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, 0)") }
    private lazy var endingUntouched = Result {
        try connection.statement(
            "DELETE FROM runs WHERE seq = ? AND owner = ? AND generation = ? AND is_touched = 0")
    }
    private lazy var deleting = Result { try connection.statement("DELETE FROM runs WHERE seq = ?") }
    private lazy var touching = Result { try connection.statement("UPDATE runs SET is_touched = 1 WHERE seq = ?") }

    init(connection: SQLiteConnection) { self.connection = connection }

    func insert(_ record: WorkRecord, owner: Int64, now: WallTime) throws {
        let statement = try inserting.get()
        statement.bind(1, record.sequence)
        statement.bind(2, owner)
        statement.bind(3, record.laneNumber)
        statement.bind(4, record.status.generation)
        statement.bind(5, record.status.attempt)
        statement.bind(6, now.milliseconds)
        try statement.run()
    }

    /// Ends a run that is still this owner's and of which nothing was changed since its claim; `false` otherwise.
    func endUntouched(_ key: RunKey, owner: Int64) throws -> Bool {
        let statement = try endingUntouched.get()
        statement.bind(1, key.sequence)
        statement.bind(2, owner)
        statement.bind(3, key.generation)
        return try statement.run() > 0
    }

    func delete(_ sequence: Int64) throws {
        let statement = try deleting.get()
        statement.bind(1, sequence)
        try statement.run()
    }

    /// Something about the item has changed, so that who runs it has to read it again at its end.
    func touch(_ sequence: Int64) throws {
        let statement = try touching.get()
        statement.bind(1, sequence)
        try statement.run()
    }

    /// How many items of each lane run, in all processes.
    func countByLane() throws -> [(lane: Int64, count: Int)] {
        var counts: [(Int64, Int)] = []
        try connection.rows("SELECT lane, count(*) FROM runs GROUP BY lane") { row in
            counts.append((row.int(0), Int(row.int(1))))
        }
        return counts
    }
}
