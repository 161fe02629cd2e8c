import BackgroundWorkModel

/// Items that were claimed and are neither finished nor given back.
final class RunTable {
    /// A row to be inserted.
    private struct NewRow {
        var sequence: Int64
        var owner: Int64
        var claimGroup: Int64
        var generation: Int64
        var attempt: Int
        var startedAt: WallTime
    }

    private let connection: SQLiteConnection
    private let inserting: MultiRowInsert
    private var deferred: [NewRow] = []
    private lazy var endingUntouched = Result {
        try connection.statement(
            "DELETE FROM runs WHERE seq = ? AND owner = ? AND generation = ? AND is_touched = 0",
            // What this transaction claims is not known to any runner yet, so no end of it can arrive.
            seesDeferredRows: false)
    }
    private lazy var countingUntouched = Result {
        try connection.statement(
            """
            SELECT count(*) FROM runs WHERE seq BETWEEN ? AND ? AND owner = ? AND generation = ? AND is_touched = 0
            """,
            seesDeferredRows: false)
    }
    private lazy var deletingSeveral = Result {
        try connection.statement("DELETE FROM runs WHERE seq BETWEEN ? AND ?", seesDeferredRows: false)
    }
    private lazy var deleting = Result { try connection.statement("DELETE FROM runs WHERE seq = ?") }
    private lazy var touching = Result { try connection.statement("UPDATE runs SET is_touched = 1 WHERE seq = ?") }

    init(connection: SQLiteConnection) {
        self.connection = connection
        inserting = MultiRowInsert(into: "runs", columns: 7, connection)
    }

    /// Deferred: it is in the database before any statement reads the table.
    func insert(_ record: WorkRecord, owner: Int64, now: WallTime) {
        deferred.append(
            NewRow(
                sequence: record.sequence, owner: owner, claimGroup: record.claimGroupNumber,
                generation: record.status.generation, attempt: record.status.attempt, startedAt: now))
        connection.hasDeferredRows = true
    }

    func writeDeferred() throws {
        defer { discardDeferred() }
        try inserting.insert(deferred) { statement, last, row in
            statement.bind(last + 1, row.sequence)
            statement.bind(last + 2, row.owner)
            statement.bind(last + 3, row.claimGroup)
            statement.bind(last + 4, row.generation)
            statement.bind(last + 5, row.attempt)
            statement.bind(last + 6, row.startedAt.milliseconds)
            statement.bind(last + 7, 0)
        }
    }

    func discardDeferred() { deferred.removeAll(keepingCapacity: true) }

    /// Ends a run that this owner still has and that was not changed since its claim; `false` otherwise.
    func endUntouched(_ key: RunKey, owner: Int64) throws -> Bool {
        let statement = try endingUntouched.get()
        statement.bind(1, key.sequence)
        statement.bind(2, owner)
        statement.bind(3, key.generation)
        return try statement.run() > 0
    }

    /// Fewer runs are ended one by one.
    private static let worthOneStatement = 4

    /// Ends all runs with consecutive numbers from that of the first one on: all of them, or none; none also if they
    /// are too few.
    func endUntouched(_ first: RunKey, count: Int, owner: Int64) throws -> Bool {
        guard count >= Self.worthOneStatement else { return false }
        let last = first.sequence + Int64(count) - 1
        let counting = try countingUntouched.get()
        counting.bind(1, first.sequence)
        counting.bind(2, last)
        counting.bind(3, owner)
        counting.bind(4, first.generation)
        guard try counting.first({ Int($0.int(0)) }) == count else { return false }
        let deleting = try deletingSeveral.get()
        deleting.bind(1, first.sequence)
        deleting.bind(2, last)
        try deleting.run()
        return true
    }

    func delete(_ sequence: Int64) throws {
        let statement = try deleting.get()
        statement.bind(1, sequence)
        try statement.run()
    }

    /// Something about the item has changed, so its runner has to read it again at its end.
    func touch(_ sequence: Int64) throws {
        let statement = try touching.get()
        statement.bind(1, sequence)
        try statement.run()
    }

    /// How many items of each claim group run, in all processes, and how many of them an owner has.
    func countByClaimGroup(of owner: Int64) throws -> [(claimGroup: Int64, count: Int, own: Int)] {
        var counts: [(Int64, Int, Int)] = []
        try connection.rows("SELECT claim_group, count(*), sum(owner = ?) FROM runs GROUP BY claim_group", .int(owner))
        { row in
            counts.append((row.int(0), Int(row.int(1)), Int(row.int(2))))
        }
        return counts
    }
}
