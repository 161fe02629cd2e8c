import BackgroundWorkModel

/// The requests: a row for each, written once, and one for the name of each chain.
final class WorkTable {
    /// A row to be inserted.
    struct NewRow {
        var sequence: Int64
        var id: String
        var claimGroup: Int64
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
    private let inserting: MultiRowInsert
    private lazy var readingToRun = Result { try connection.statement(Self.toRun, seesDeferredRows: false) }

    /// The columns that a claim needs: the request, and what is carried over.
    private static let toRun = """
        SELECT w.seq, w.id, c.id, w.chain, w.step, w.position, w.claim_group, w.priority, w.flags | coalesce(a.flags, 0), \
        w.input, w.extras, w.enqueued_at, coalesce(a.generation, w.generation), coalesce(a.attempt, 0), \
        coalesce(a.deaths, 0), w.due, NULL, a.message, NULL, NULL, NULL, NULL, coalesce(a.occurrence, 0), a.planned, \
        a.started_at, a.triggered_at, a.checkpoint, a.progress, a.seq IS NOT NULL, 1, coalesce(a.exits, 0) \
        FROM work w LEFT JOIN carried a ON a.seq = w.seq LEFT JOIN work c ON c.seq = w.chain \
        WHERE w.seq BETWEEN ? AND ?
        """

    init(connection: SQLiteConnection) {
        self.connection = connection
        inserting = MultiRowInsert(
            into: "work", columns: 13, onConflict: " ON CONFLICT (id) DO NOTHING", connection)
    }

    /// Stores rows with increasing numbers.
    ///
    /// - Returns: the numbers of those whose id exists already. Nothing is stored of these.
    func insert(_ rows: [NewRow]) throws -> Set<Int64> {
        let stored = try inserting.insert(rows) { statement, last, row in
            statement.bind(last + 1, row.sequence)
            statement.bind(last + 2, row.id)
            statement.bind(last + 3, row.claimGroup)
            statement.bind(last + 4, row.priority.rawValue)
            statement.bind(last + 5, row.due.milliseconds)
            statement.bind(last + 6, row.generation)
            statement.bind(last + 7, row.enqueuedAt.milliseconds)
            statement.bind(last + 8, row.flags.rawValue)
            statement.bind(last + 9, row.input)
            statement.bind(last + 10, row.extras)
            statement.bind(last + 11, row.chain?.sequence)
            statement.bind(last + 12, (row.chain?.step).map(Int64.init))
            statement.bind(last + 13, (row.chain?.position).map(Int64.init))
        }
        guard stored < rows.count, let first = rows.first, let last = rows.last else { return [] }
        var refused = Set(rows.map(\.sequence))
        try connection.rows(
            "SELECT seq FROM work WHERE seq BETWEEN ? AND ?", .int(first.sequence), .int(last.sequence)
        ) { refused.remove($0.int(0)) }
        return refused
    }

    /// A pending item with the columns that a claim needs.
    ///
    /// - Parameter due: from the queue's row; the item's own row does not reflect releases.
    func recordToRun(_ sequence: Int64, due: WallTime, _ reader: RecordReader) throws -> WorkRecord? {
        guard var record = try bindToRun(sequence, sequence).first({ try reader.record($0) }) else { return nil }
        record.due = due
        return record
    }

    /// Pending items by their numbers, with the due times of their own rows. Those with consecutive numbers are read
    /// by one statement.
    func recordsToRun(_ sequences: [Int64], _ reader: RecordReader) throws -> [Int64: WorkRecord] {
        var found = Dictionary<Int64, WorkRecord>(minimumCapacity: sequences.count)
        for numbers in sequences.sorted().runs(where: { $1 == $0 + 1 }) {
            guard let first = numbers.first, let last = numbers.last else { continue }
            try bindToRun(first, last).rows {
                let record = try reader.record($0)
                found[record.sequence] = record
            }
        }
        return found
    }

    private func bindToRun(_ first: Int64, _ last: Int64) throws -> SQLiteStatement {
        let statement = try readingToRun.get()
        statement.bind(1, first)
        statement.bind(2, last)
        return statement
    }
}

extension RandomAccessCollection {
    /// Splits the elements into runs in which each element follows the previous one.
    func runs(where follows: (Element, Element) throws -> Bool) rethrows -> [SubSequence] {
        var found: [SubSequence] = []
        var start = startIndex
        while start != endIndex {
            var last = start
            var end = index(after: start)
            while end != endIndex, try follows(self[last], self[end]) {
                last = end
                formIndex(after: &end)
            }
            found.append(self[start..<end])
            start = end
        }
        return found
    }
}
