import BackgroundWorkModel

/// What was asked for: a row for each request, written once, and one for the name of each chain.
final class WorkTable {
    /// A row to be.
    struct NewRow {
        var sequence: Int64
        var id: String
        var lane: Int64
        var priority: WorkPriority
        var due: WallTime
        var generation: Int64
        var enqueuedAt: WallTime
        var flags: WorkFlags
        var input: String?
        var extras: String?
        var chain: (sequence: Int64, step: Int, position: Int)?
    }

    private let connection: SQLiteConnection
    private lazy var inserting = Result {
        try connection.statement(
            "INSERT INTO work VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
            seesDeferredRows: false)
    }
    private lazy var readingToRun = Result { try connection.statement(Self.toRun, seesDeferredRows: false) }

    /// What a claim needs to know: the request, and what it carries.
    private static let toRun = """
        SELECT w.seq, w.id, c.id, w.chain, w.step, w.position, w.lane, w.priority, w.flags | coalesce(a.flags, 0), \
        w.input, w.extras, w.enqueued_at, coalesce(a.generation, w.generation), coalesce(a.attempt, 0), \
        coalesce(a.deaths, 0), w.due, NULL, a.message, NULL, NULL, NULL, NULL, coalesce(a.occurrence, 0), a.planned, \
        a.started_at, a.triggered_at, a.checkpoint, a.progress, a.seq IS NOT NULL, 1 \
        FROM work w LEFT JOIN carried a ON a.seq = w.seq LEFT JOIN work c ON c.seq = w.chain WHERE w.seq = ?
        """

    init(connection: SQLiteConnection) { self.connection = connection }

    /// `false` when the id is there already; nothing is stored then.
    func insert(_ row: NewRow) throws -> Bool {
        let statement = try inserting.get()
        statement.bind(1, row.sequence)
        statement.bind(2, row.id)
        statement.bind(3, row.lane)
        statement.bind(4, row.priority.rawValue)
        statement.bind(5, row.due.milliseconds)
        statement.bind(6, row.generation)
        statement.bind(7, row.enqueuedAt.milliseconds)
        statement.bind(8, row.flags.rawValue)
        statement.bind(9, row.input)
        statement.bind(10, row.extras)
        statement.bind(11, row.chain?.sequence)
        statement.bind(12, (row.chain?.step).map(Int64.init))
        statement.bind(13, (row.chain?.position).map(Int64.init))
        return try statement.run() > 0
    }

    /// A pending item as its claim needs it.
    ///
    /// - Parameter due: where it was found; its own row does not know of releases.
    func recordToRun(_ sequence: Int64, due: WallTime, _ lanes: LaneTable) throws -> WorkRecord? {
        let statement = try readingToRun.get()
        statement.bind(1, sequence)
        guard var record = try statement.first({ try WorkRecord($0, lanes) }) else { return nil }
        record.due = due
        return record
    }
}
