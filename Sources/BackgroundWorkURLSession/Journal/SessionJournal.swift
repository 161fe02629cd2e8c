import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers

/// The transfers of a directory's URL sessions, in an SQLite file of their own. Not thread-safe: used on one queue.
///
/// Each change is one commit (WAL, `synchronous=FULL`): what it says is on the disk when it returns.
final class SessionJournal {
    private let connection: SQLiteConnection
    /// Changes when the journal was lost and a new one was created.
    let epoch: String

    private static let migrator = SchemaMigrator(
        title: "journal of the URL sessions",
        steps: [
            """
            CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
            CREATE TABLE transfers(
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                store TEXT NOT NULL,
                key TEXT NOT NULL,
                identifier INTEGER NOT NULL,
                task INTEGER NOT NULL,
                specification TEXT NOT NULL,
                state TEXT NOT NULL CHECK(state IN ('reserved', 'active', 'received', 'finished')),
                paused INTEGER NOT NULL DEFAULT 0,
                failures INTEGER NOT NULL DEFAULT 0,
                requests INTEGER NOT NULL DEFAULT 0,
                next_attempt INTEGER,
                started_at INTEGER,
                resume_data TEXT,
                response TEXT,
                outcome TEXT,
                UNIQUE(store, key)
            );
            """,
            "ALTER TABLE transfers ADD COLUMN stopped_task INTEGER",
        ])

    init(path: String) throws {
        connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        try Self.migrator.migrate(connection)
        try connection.run("INSERT OR IGNORE INTO meta VALUES('epoch', ?)", .text(UUID().uuidString))
        epoch = try connection.first("SELECT value FROM meta WHERE name = 'epoch'") { $0.text(0) } ?? ""
    }

    /// Oldest first. A row that cannot be read is reported and left unchanged.
    func transfers(report: (String) -> Void) throws -> [SessionTransfer] {
        var transfers: [SessionTransfer] = []
        try connection.rows(
            """
            SELECT number, identifier, task, specification, state, paused, failures, requests, next_attempt, started_at,
                resume_data, response, outcome, stopped_task FROM transfers ORDER BY number
            """
        ) { row in
            do {
                var transfer = SessionTransfer(
                    number: row.int(0), identifier: row.int(1), task: row.int(2),
                    specification: try FastJSON.value(TransferSpecification.self, from: row.text(3)),
                    state: SessionTransfer.State(rawValue: row.text(4)) ?? .reserved)
                transfer.isPaused = row.int(5) != 0
                transfer.failures = Int(row.int(6))
                transfer.requests = Int(row.int(7))
                transfer.nextAttempt = row.optionalInt(8).map(WallTime.init(milliseconds:))
                transfer.startedAt = row.optionalInt(9).map(WallTime.init(milliseconds:))
                transfer.resumeData = row.optionalText(10).flatMap { Data(base64Encoded: $0) }
                transfer.response = try row.optionalText(11)
                    .map { try JSONCoding.value(ReceivedResponse.self, from: $0) }
                transfer.outcome = try row.optionalText(12).map { try FastJSON.value(TransferOutcome.self, from: $0) }
                transfer.stoppedTask = row.optionalInt(13)
                transfers.append(transfer)
            } catch {
                report(
                    "The record of transfer \(row.int(0)) cannot be read (\(error)). Cancel it and enqueue it again.")
            }
        }
        return transfers
    }

    /// - Returns: the number of the new row.
    func insert(
        _ specification: TransferSpecification, identifier: Int64, state: SessionTransfer.State, startedAt: WallTime?
    ) throws -> Int64 {
        let reference = specification.reference
        try connection.run(
            """
            INSERT INTO transfers(store, key, identifier, task, specification, state, started_at)
            VALUES(?, ?, ?, ?, ?, ?, ?)
            """,
            .text(reference.store), .text(reference.key.description), .int(identifier), .int(identifier),
            .text(try FastJSON.text(of: specification)), .text(state.rawValue),
            .optional(startedAt?.milliseconds))
        return connection.lastInsertedRowID
    }

    /// Records everything about a transfer that can change.
    func update(_ transfer: SessionTransfer) throws {
        try connection.run(
            """
            UPDATE transfers SET specification = ?, task = ?, state = ?, paused = ?, failures = ?, requests = ?, next_attempt = ?,
                started_at = ?, resume_data = ?, response = ?, outcome = ?, stopped_task = ? WHERE number = ?
            """,
            .text(try FastJSON.text(of: transfer.specification)), .int(transfer.task), .text(transfer.state.rawValue),
            .int(transfer.isPaused ? 1 : 0),
            .int(transfer.failures), .int(transfer.requests), .optional(transfer.nextAttempt?.milliseconds),
            .optional(transfer.startedAt?.milliseconds), .optional(transfer.resumeData?.base64EncodedString()),
            .optional(try transfer.response.map { try JSONCoding.text(of: $0) }),
            .optional(try transfer.outcome.map { try FastJSON.text(of: $0) }), .optional(transfer.stoppedTask),
            .int(transfer.number))
    }

    /// Empties the write-ahead log; `false` if another connection prevents it.
    func emptyLog() throws -> Bool { try connection.emptyLog() }

    /// Deletes several in one commit.
    func delete(_ numbers: [Int64]) throws {
        try connection.transaction {
            for number in numbers { try connection.run("DELETE FROM transfers WHERE number = ?", .int(number)) }
        }
    }
}
