import BackgroundWorkModel

/// The waiting items: `due`, and `suspects` for those that must run alone.
final class DueTable {
    private let connection: SQLiteConnection
    private let inserting: MultiRowInsert
    private var deferred: [Row] = []
    private lazy var deleting = Result {
        try connection.statement(
            "DELETE FROM due WHERE priority = ? AND claim_group = ? AND due = ? AND seq = ?", seesDeferredRows: false)
    }
    private lazy var countingFirst = Result {
        try connection.statement("SELECT count(*) FROM due WHERE " + Self.firstInPriorityGroup, seesDeferredRows: false)
    }
    private lazy var deletingFirst = Result {
        try connection.statement("DELETE FROM due WHERE " + Self.firstInPriorityGroup, seesDeferredRows: false)
    }
    private lazy var seekingClaimGroup = Result {
        try connection.statement(Self.nextClaimGroup, seesDeferredRows: false)
    }
    private lazy var seekingDue = Result { try connection.statement(Self.dueInPriorityGroup, seesDeferredRows: false) }
    private lazy var seekingNext = Result {
        try connection.statement(Self.nextInPriorityGroup, seesDeferredRows: false)
    }

    private struct Row {
        var priority: WorkPriority
        var claimGroup: Int64
        var due: WallTime
        var sequence: Int64
    }

    /// All items of a priority group up to one.
    private static let firstInPriorityGroup = "priority = ? AND claim_group = ? AND (due, seq) <= (?, ?)"

    /// The next claim group of a priority that has waiting work.
    static let nextClaimGroup =
        "SELECT claim_group FROM due WHERE priority = ? AND claim_group > ? ORDER BY claim_group LIMIT 1"

    /// The earliest due items of a priority group.
    static let dueInPriorityGroup = """
        SELECT seq, due FROM due WHERE priority = ? AND claim_group = ? AND due <= ? ORDER BY due, seq LIMIT ?
        """

    /// When the next item of a priority group is due.
    static let nextInPriorityGroup = """
        SELECT due FROM due WHERE priority = ? AND claim_group = ? AND due > ? ORDER BY due, seq LIMIT 1
        """

    init(connection: SQLiteConnection) {
        self.connection = connection
        inserting = MultiRowInsert(into: "due", columns: 4, connection)
    }

    /// Deferred, and written with others before any statement reads the waiting items.
    ///
    /// - Parameter isSuspect: whether it must run alone.
    func insert(_ sequence: Int64, priority: WorkPriority, claimGroup: Int64, due: WallTime, isSuspect: Bool) throws {
        if isSuspect {
            try connection.run("INSERT INTO suspects VALUES (?, ?)", .int(due.milliseconds), .int(sequence))
            return
        }
        deferred.append(Row(priority: priority, claimGroup: claimGroup, due: due, sequence: sequence))
        connection.hasDeferredRows = true
    }

    func writeDeferred() throws {
        if deferred.isEmpty { return }
        defer { discardDeferred() }
        try inserting.insert(deferred) { Self.bind($0, after: $1, $2) }
    }

    func discardDeferred() { deferred.removeAll(keepingCapacity: true) }

    /// Removes a waiting item.
    func delete(_ record: WorkRecord) throws {
        if record.status.isSuspect {
            try connection.run(
                "DELETE FROM suspects WHERE due = ? AND seq = ?", .int(record.due.milliseconds),
                .int(record.sequence))
            return
        }
        try writeDeferred()
        try bind(deleting.get(), record).run()
    }

    /// Removes several. Those that come first in their priority group, as claimed items do, are deleted together.
    func delete(_ records: [WorkRecord]) throws {
        try writeDeferred()
        let priorityGroups = Dictionary(grouping: records) {
            PriorityGroupKey(priority: $0.priority, claimGroup: $0.claimGroupNumber, isSuspect: $0.status.isSuspect)
        }
        for (priorityGroup, records) in priorityGroups {
            let last = records.max { ($0.due, $0.sequence) < ($1.due, $1.sequence) }
            if let last, records.count >= Self.worthOneStatement, !priorityGroup.isSuspect,
                try bind(countingFirst.get(), last).first({ Int($0.int(0)) }) == records.count
            {
                try bind(deletingFirst.get(), last).run()
            } else {
                for record in records { try delete(record) }
            }
        }
    }

    private struct PriorityGroupKey: Hashable {
        var priority: WorkPriority
        var claimGroup: Int64
        var isSuspect: Bool
    }

    /// Fewer are deleted one by one.
    private static let worthOneStatement = 4

    private func bind(_ statement: SQLiteStatement, _ record: WorkRecord) -> SQLiteStatement {
        let row = Row(
            priority: record.priority, claimGroup: record.claimGroupNumber, due: record.due, sequence: record.sequence)
        Self.bind(statement, after: 0, row)
        return statement
    }

    private static func bind(_ statement: SQLiteStatement, after last: Int32, _ row: Row) {
        statement.bind(last + 1, row.priority.rawValue)
        statement.bind(last + 2, row.claimGroup)
        statement.bind(last + 3, row.due.milliseconds)
        statement.bind(last + 4, row.sequence)
    }

    /// The claim groups of one priority that have waiting work, by one seek for each.
    func claimGroups(of priority: WorkPriority) throws -> [Int64] {
        try writeDeferred()
        let statement = try seekingClaimGroup.get()
        var found: [Int64] = []
        statement.bind(1, priority.rawValue)
        statement.bind(2, Int64(-1))
        while let number = try statement.first({ $0.int(0) }) {
            found.append(number)
            statement.bind(2, number)
        }
        return found
    }

    /// Passes the earliest items that are due to `body`, at most `limit`.
    func due(
        priority: WorkPriority, claimGroup: Int64, now: WallTime, limit: Int,
        _ body: (_ sequence: Int64, _ due: Int64) -> Void
    ) throws {
        try writeDeferred()
        let statement = try seekingDue.get()
        statement.bind(1, priority.rawValue)
        statement.bind(2, claimGroup)
        statement.bind(3, now.milliseconds)
        statement.bind(4, limit)
        try statement.rows { body($0.int(0), $0.int(1)) }
    }

    /// When the first item after an instant is due.
    func next(priority: WorkPriority, claimGroup: Int64, after instant: WallTime) throws -> WallTime? {
        try writeDeferred()
        let statement = try seekingNext.get()
        statement.bind(1, priority.rawValue)
        statement.bind(2, claimGroup)
        statement.bind(3, instant.milliseconds)
        return try statement.first { WallTime(milliseconds: $0.int(0)) }
    }

    /// The suspects that are due, the earliest first.
    func suspects(now: WallTime) throws -> [(sequence: Int64, due: WallTime, claimGroup: Int64)] {
        var found: [(Int64, WallTime, Int64)] = []
        try connection.rows(
            """
            SELECT s.seq, s.due, w.claim_group FROM suspects s JOIN work w ON w.seq = s.seq WHERE s.due <= ? \
            ORDER BY s.due, s.seq LIMIT 64
            """,
            .int(now.milliseconds)
        ) { found.append(($0.int(0), WallTime(milliseconds: $0.int(1)), $0.int(2))) }
        return found
    }

    /// When the first suspect after an instant is due, and its claim group.
    func nextSuspect(after instant: WallTime) throws -> (due: WallTime, claimGroup: Int64)? {
        try connection.first(
            """
            SELECT s.due, w.claim_group FROM suspects s JOIN work w ON w.seq = s.seq WHERE s.due > ? \
            ORDER BY s.due, s.seq LIMIT 1
            """,
            .int(instant.milliseconds)
        ) { (WallTime(milliseconds: $0.int(0)), $0.int(1)) }
    }
}
