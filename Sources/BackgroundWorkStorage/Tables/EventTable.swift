import BackgroundWorkFoundation
import BackgroundWorkModel

/// Finished requests and occurrences: the events, in order. The newest event of an item has its final state.
final class EventTable {
    private struct NewRow {
        var event: TaskCompletionEvent
        var work: Int64?
        var claimGroup: Int64
    }

    private let connection: SQLiteConnection
    private let inserting: MultiRowInsert
    private var deferred: [NewRow] = []
    /// The number of the next event; `nil` when it has to be read.
    private var nextSequence: Int64?

    static let columns = """
        seq, work_id, claim_group, chain, step, occurrence, attempt, outcome, message, output, metadata, started_at, \
        finished_at, duration
        """

    init(connection: SQLiteConnection) {
        self.connection = connection
        inserting = MultiRowInsert(into: "events", columns: 15, connection)
    }

    /// A transaction starts, or a part of one was undone: others may have stored events, or some were removed.
    func forgetNumbers() { nextSequence = nil }

    /// Stores an event and returns its number. Deferred: it is in the database before any statement reads the table.
    ///
    /// - Parameters:
    ///   - event: gets its number.
    ///   - work: the number of its item; `nil` for a request that never became an item.
    func insert(_ event: inout TaskCompletionEvent, work: Int64?, claimGroup: Int64) throws {
        let sequence = try nextSequence ?? (newest() ?? 0) + 1
        nextSequence = sequence + 1
        event.sequence = sequence
        deferred.append(NewRow(event: event, work: work, claimGroup: claimGroup))
        connection.hasDeferredRows = true
    }

    /// The number of the newest event.
    func newest() throws -> Int64? {
        try connection.first("SELECT max(seq) FROM events") { $0.optionalInt(0) } ?? nil
    }

    func writeDeferred() throws {
        defer { discardDeferred() }
        try inserting.insert(deferred) { statement, last, row in
            let event = row.event
            statement.bind(last + 1, event.sequence)
            statement.bind(last + 2, row.work)
            statement.bind(last + 3, event.workID)
            statement.bind(last + 4, row.claimGroup)
            statement.bind(last + 5, event.chainID)
            statement.bind(last + 6, event.stepIndex)
            statement.bind(last + 7, event.occurrence)
            statement.bind(last + 8, event.attempt)
            statement.bind(last + 9, WorkState(event.outcome).rawValue)
            statement.bind(last + 10, event.message)
            statement.bind(last + 11, event.outputJSON)
            statement.bind(last + 12, event.metadata.isEmpty ? nil : try JSONCoding.text(of: event.metadata))
            statement.bind(last + 13, event.startedAt.map { WallTime($0).milliseconds })
            statement.bind(last + 14, WallTime(event.finishedAt).milliseconds)
            statement.bind(last + 15, event.duration?.milliseconds)
        }
    }

    func discardDeferred() { deferred.removeAll(keepingCapacity: true) }
}

extension TaskCompletionEvent {
    /// - Parameter row: of ``EventTable/columns``.
    init(_ row: borrowing SQLiteRow, _ claimGroups: ClaimGroupTable) throws {
        self.init(
            sequence: row.int(0), workID: row.text(1), taskName: try claimGroups.claimGroup(row.int(2)).worker,
            chainID: row.optionalText(3), stepIndex: Int(row.int(4)), occurrence: Int(row.int(5)),
            attempt: Int(row.int(6)), outcome: WorkState(rawValue: Int(row.int(7)))?.outcome ?? .failed,
            message: row.optionalText(8), outputJSON: row.optionalText(9),
            metadata: row.optionalText(10).flatMap { try? JSONCoding.value(from: $0) } ?? [:],
            startedAt: row.optionalInt(11).map { WallTime(milliseconds: $0).date },
            finishedAt: WallTime(milliseconds: row.int(12)).date,
            duration: row.optionalInt(13).map { .milliseconds($0) })
    }
}
