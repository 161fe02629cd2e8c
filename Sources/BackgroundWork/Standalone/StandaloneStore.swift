import BackgroundWorkFiles
import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers

/// The durable record of direct transfers: a row for each identifier, from the first request until its end has been
/// told. Each verb is one transaction, durable when it returns.
actor StandaloneStore {
    /// The record's identity; a new record has another.
    nonisolated let identity: String
    /// Where a damaged record was put, if one was found.
    nonisolated let setAside: String?
    nonisolated let executor: DispatchQueueExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private let clock: any WorkClock
    private var connection: SQLiteConnection?
    private var folder: StandaloneFolder?

    /// Opens the record, or begins one. Blocks the calling thread.
    init(folder: StandaloneFolder, clock: any WorkClock) throws {
        let path = "\(folder.path)/\(StandaloneFolder.databaseName)"
        // Its lock says that no other process works on it.
        let (connection, setAside) = try DatabaseFile(path: path).open(at: clock.now) { try Self.connect(path) }
        identity = try Self.identity(of: connection)
        self.setAside = setAside
        self.folder = folder
        self.clock = clock
        self.connection = connection
        executor = DispatchQueueExecutor(label: "BackgroundWork.StandaloneStore")
    }

    private static func connect(_ path: String) throws -> sending SQLiteConnection {
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        try StandaloneSchema.migrator.migrate(connection)
        try StandaloneSchema.probe(connection)
        return connection
    }

    private static func identity(of connection: SQLiteConnection) throws -> String {
        try connection.transaction {
            let query = "SELECT value FROM meta WHERE key = 'store'"
            if let known = try connection.first(query, body: { $0.text(0) }) { return known }
            let made = UUID().uuidString.lowercased()
            try connection.run("INSERT INTO meta (key, value) VALUES ('store', ?)", .text(made))
            return made
        }
    }

    /// Closes the record and releases the directory.
    func close() {
        connection = nil
        folder = nil
    }

    // MARK: - Verbs

    /// The row of an identifier; a new one if there is none.
    func begin(_ identifier: String, request: String) throws -> StandaloneRecord {
        let connection = try opened()
        return try connection.transaction {
            try connection.run(
                "INSERT INTO transfers (identifier, request, state) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                .text(identifier), .text(request), .int(StandaloneSchema.State.active))
            guard let record = try record(identifier) else { throw Self.lost(identifier) }
            return record
        }
    }

    func record(_ identifier: String) throws -> StandaloneRecord? {
        try read(
            "SELECT generation, identifier, request, state, content FROM transfers WHERE identifier = ?", identifier
        )
        .first
    }

    /// The row of a key, if it is still this generation's.
    func record(_ key: TransferKey) throws -> StandaloneRecord? {
        try record(key.workID).flatMap { $0.key == key ? $0 : nil }
    }

    func records() throws -> [StandaloneRecord] {
        try read("SELECT generation, identifier, request, state, content FROM transfers ORDER BY generation")
    }

    /// Whether there was a row of an active transfer; it has been removed then.
    func removeActive(_ key: TransferKey) throws -> Bool {
        try opened().run(
            "DELETE FROM transfers WHERE generation = ? AND state = ?", .int(key.generation),
            .int(StandaloneSchema.State.active)) == 1
    }

    /// Removes a row that has ended; one that is gone is fine.
    func removeEnded(_ key: TransferKey) throws {
        try opened().run(
            "DELETE FROM transfers WHERE generation = ? AND state = ?", .int(key.generation),
            .int(StandaloneSchema.State.ended))
    }

    func end(_ key: TransferKey, _ end: StandaloneEnd) throws {
        try opened().run(
            "UPDATE transfers SET state = ?, content = ? WHERE generation = ? AND state <> ?",
            .int(StandaloneSchema.State.ended), .text(JSONCoding.text(of: end)), .int(key.generation),
            .int(StandaloneSchema.State.ended))
    }

    private func setMove(_ key: TransferKey, _ move: FileMove, from state: Int64) throws -> Bool {
        try opened().run(
            "UPDATE transfers SET state = ?, content = ? WHERE generation = ? AND state = ?",
            .int(StandaloneSchema.State.finishing), .text(FastJSON.text(of: move)), .int(key.generation), .int(state))
            == 1
    }

    // MARK: - Rows

    private func opened() throws -> SQLiteConnection {
        guard let connection else { throw StandaloneTransferError.shutDown }
        return connection
    }

    private func read(_ sql: String, _ identifier: String? = nil) throws -> [StandaloneRecord] {
        var records: [StandaloneRecord] = []
        try opened().rows(sql, identifier.map { [.text($0)] } ?? []) { row in
            records.append(
                StandaloneRecord(
                    key: TransferKey(workID: row.text(1), generation: row.int(0)), request: row.text(2),
                    state: try Self.state(row.int(3), content: row.text(4))))
        }
        return records
    }

    private static func state(_ number: Int64, content: String) throws -> StandaloneRecord.State {
        switch number {
        case StandaloneSchema.State.finishing: .finishing(try FastJSON.value(from: content))
        case StandaloneSchema.State.ended: .ended(try JSONCoding.value(from: content))
        default: .active
        }
    }

    private static func lost(_ identifier: String) -> SQLiteError {
        SQLiteError(code: 11, message: "the row just written is not there", path: identifier, action: "read back")
    }
}

extension StandaloneStore: TransferLedger {
    func standing(for outcome: TransferOutcome, move: @Sendable () -> FileMove?) throws -> TransferStanding {
        // No caller can ask for what the daemon has of a record that was lost.
        let key = outcome.reference.key
        guard outcome.reference.store == identity, let record = try record(key) else { return .settled }
        switch record.state {
        case .active:
            if let move = move(), try fileArrived(key, move: move) { return .moving(move) }
            return .awaited
        case .finishing(let move): return .moving(move)
        case .ended: return .settled
        }
    }

    func fileArrived(_ key: TransferKey, move: FileMove) throws -> Bool {
        try setMove(key, move, from: StandaloneSchema.State.active)
    }

    func fileRedirected(_ key: TransferKey, move: FileMove) throws -> Bool {
        try setMove(key, move, from: StandaloneSchema.State.finishing)
    }

    func fileMoved(_ key: TransferKey, message: String, outputJSON: String) throws {
        try end(key, .succeeded(outputJSON: outputJSON))
    }

    func transferSucceeded(_ key: TransferKey, message: String, outputJSON: String) throws {
        try end(key, .succeeded(outputJSON: outputJSON))
    }

    func transferFailed(_ key: TransferKey, failure: TransferFailure) throws {
        var failure = failure
        // The next call begins anew.
        failure.resumeToken = nil
        try end(key, .failed(failure, at: WallTime(clock.now)))
    }
}

/// A standalone transfer as its directory records it, from the first request until its end was delivered to a caller.
struct StandaloneRecord: Sendable, Hashable {
    enum State: Sendable, Hashable {
        /// With the daemon, or about to be.
        case active
        /// The file has arrived, and is on its way to its place.
        case finishing(FileMove)
        /// No caller has received it yet.
        case ended(StandaloneEnd)
    }

    /// The caller's identifier, and a number that is never given again.
    var key: TransferKey
    /// ``StandaloneRequest/text()``.
    var request: String
    var state: State
}

/// The tables of `standalone.sqlite`.
enum StandaloneSchema {
    static let migrator = SchemaMigrator(title: "record of direct transfers", steps: [first])

    /// Generations are never given twice, so an outcome that comes late is distinguished from the one that is waited
    /// for.
    private static let first = """
        CREATE TABLE transfers (
            generation INTEGER PRIMARY KEY AUTOINCREMENT,
            identifier TEXT NOT NULL UNIQUE,
            request TEXT NOT NULL,
            state INTEGER NOT NULL,
            content TEXT
        );
        CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        """

    /// What the column `state` says; `content` is a finishing row's move, or how an ended one ended.
    enum State {
        static let active: Int64 = 0
        static let finishing: Int64 = 1
        static let ended: Int64 = 2
    }

    /// Reads the root of each table, so that damage shows at opening.
    static func probe(_ connection: SQLiteConnection) throws {
        for table in ["transfers", "meta"] { try connection.rows("SELECT 1 FROM \(table) LIMIT 1") { _ in } }
    }
}
