import BackgroundWorkModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What has finished: the events, in order. The newest one of an item says how it stands.
final class EventTable {
    private let connection: SQLiteConnection
    private lazy var inserting = Result {
        try connection.statement(
            "INSERT INTO events VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    }

    static let columns = """
        seq, work_id, lane, chain, step, occurrence, attempt, outcome, message, output, metadata, started_at, \
        finished_at, duration
        """

    init(connection: SQLiteConnection) { self.connection = connection }

    /// Stores an event and returns it with its number.
    ///
    /// - Parameter work: the number of its item; `nil` for what never became one.
    func insert(_ event: TaskCompletionEvent, work: Int64?, lane: Int64) throws -> TaskCompletionEvent {
        let statement = try inserting.get()
        statement.bind(1, work)
        statement.bind(2, event.workID)
        statement.bind(3, lane)
        statement.bind(4, event.chainID)
        statement.bind(5, event.stepIndex)
        statement.bind(6, event.occurrence)
        statement.bind(7, event.attempt)
        statement.bind(8, WorkState(event.outcome).rawValue)
        statement.bind(9, event.message)
        statement.bind(10, event.outputJSON)
        statement.bind(11, event.metadata.isEmpty ? nil : try StoredJSON.encode(event.metadata))
        statement.bind(12, event.startedAt.map { WallTime($0).milliseconds })
        statement.bind(13, WallTime(event.finishedAt).milliseconds)
        statement.bind(14, event.duration?.milliseconds)
        try statement.run()
        var stored = event
        stored.sequence = connection.lastInsertedRowID
        return stored
    }
}

extension TaskCompletionEvent {
    /// - Parameter row: of ``EventTable/columns``.
    init(_ row: borrowing SQLiteRow, _ lanes: LaneTable) throws {
        self.init(
            sequence: row.int(0), workID: row.text(1), taskName: try lanes.lane(row.int(2)).worker,
            chainID: row.optionalText(3), stepIndex: Int(row.int(4)), occurrence: Int(row.int(5)),
            attempt: Int(row.int(6)), outcome: WorkState(rawValue: Int(row.int(7)))?.outcome ?? .failed,
            message: row.optionalText(8), outputJSON: row.optionalText(9),
            metadata: row.optionalText(10).flatMap(StoredJSON.decode) ?? [:],
            startedAt: row.optionalInt(11).map { WallTime(milliseconds: $0).date },
            finishedAt: WallTime(milliseconds: row.int(12)).date,
            duration: row.optionalInt(13).map { .milliseconds($0) })
    }
}
