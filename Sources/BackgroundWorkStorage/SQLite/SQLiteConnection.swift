import CBackgroundWorkSQLite

/// One connection to a database file in WAL mode, which keeps its prepared statements.
///
/// Not thread-safe, and not `Sendable`: its owner uses it on one queue or actor only.
package final class SQLiteConnection {
    package enum Mode: Sendable { case readWriteCreate, readOnly }

    /// How long it waits for another connection, in milliseconds.
    private static let patience: Int32 = 10_000

    package let path: String
    private let handle: OpaquePointer
    private var statements: [String: SQLiteStatement] = [:]
    private var keptTexts: Set<String> = []
    /// Rows that are written before a statement runs that could read them.
    weak var deferredRows: (any DeferredRows)?
    /// Whether there are any.
    var hasDeferredRows = false

    /// Opens the file, creating it if the mode says so. Only this user may read one that is opened for writing.
    ///
    /// A writing connection is in WAL mode with `synchronous=FULL` (and `fullfsync` where the system has it), so a
    /// commit that has returned survives a power failure (https://sqlite.org/pragma.html#pragma_synchronous). It
    /// waits up to ten seconds for another writer. What it deletes is overwritten with zeros, so secrets leave the file
    /// (https://sqlite.org/pragma.html#pragma_secure_delete), and the log with ``emptyLog()``.
    package init(path: String, mode: Mode) throws {
        if mode == .readWriteCreate { try DatabaseRights.claim(path) }
        var opened: OpaquePointer?
        let flags =
            switch mode {
            case .readWriteCreate: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .readOnly: SQLITE_OPEN_READONLY
            }
        let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let opened else {
            let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
            let systemCode = opened.map(sqlite3_system_errno) ?? 0
            sqlite3_close_v2(opened)
            throw SQLiteError(
                code: code & 0xff, message: message, path: path, action: "open", systemCode: systemCode)
        }
        self.path = path
        handle = opened
        sqlite3_busy_timeout(handle, Self.patience)
        if mode == .readWriteCreate {
            try execute("PRAGMA journal_mode = WAL")
            try execute("PRAGMA synchronous = FULL")
            try execute("PRAGMA fullfsync = ON")
            try execute("PRAGMA foreign_keys = OFF")
            try execute("PRAGMA temp_store = MEMORY")
            // Not FAST: that leaves what was on pages that are free now.
            try execute("PRAGMA secure_delete = ON")
        }
    }

    deinit {
        statements.removeAll()
        sqlite3_close_v2(handle)
    }

    /// Runs one or more statements without parameters, ignoring any rows.
    package func execute(_ sql: String) throws {
        if hasDeferredRows { try writeDeferredRows() }
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code, at: sql) }
    }

    /// Runs one statement and returns how many rows it changed.
    @discardableResult
    package func run(_ sql: String, _ bindings: SQLiteBinding...) throws -> Int {
        let statement = try prepared(sql)
        statement.bind(bindings)
        defer { statement.clear() }
        while try statement.step() {}
        return changes
    }

    /// Runs one statement and passes each row to `body`.
    package func rows(_ sql: String, _ bindings: SQLiteBinding..., body: (borrowing SQLiteRow) throws -> Void) throws {
        try rows(sql, bindings, body: body)
    }

    /// The same, with the bindings in an array.
    package func rows(_ sql: String, _ bindings: [SQLiteBinding], body: (borrowing SQLiteRow) throws -> Void) throws {
        let statement = try prepared(sql)
        statement.bind(bindings)
        defer { statement.clear() }
        while try statement.step() { try body(SQLiteRow(statement: statement.handle)) }
    }

    /// Runs one statement and returns what `body` makes of its first row, or `nil` if there is none.
    package func first<Value>(
        _ sql: String, _ bindings: SQLiteBinding..., body: (borrowing SQLiteRow) throws -> Value
    ) throws -> Value? {
        let statement = try prepared(sql)
        statement.bind(bindings)
        defer { statement.clear() }
        return try statement.step() ? try body(SQLiteRow(statement: statement.handle)) : nil
    }

    /// A statement that its caller keeps and runs often: it is neither looked up by its text nor cleared after a run.
    ///
    /// - Parameter seesDeferredRows: `false` for one that does not use tables whose rows are deferred, or at least
    ///   not those rows.
    package func statement(_ sql: String, seesDeferredRows: Bool = true) throws -> SQLiteStatement {
        let statement = try prepare(sql, seesDeferredRows: seesDeferredRows)
        keptTexts.insert(sql)
        return statement
    }

    /// How many rows the newest statement has changed.
    var changes: Int { Int(sqlite3_changes(handle)) }

    /// The rowid of the newest inserted row.
    package var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Whether a transaction is open.
    package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// How a transaction starts (https://sqlite.org/lang_transaction.html).
    package enum TransactionKind: Sendable {
        /// As a writer, at once: it cannot fail later because another has written.
        case immediate
        /// As a reader.
        case deferred
    }

    /// Runs `body` in one transaction; rolls back when it throws.
    package func transaction<Value>(_ kind: TransactionKind = .immediate, _ body: () throws -> Value) throws -> Value {
        try begin(kind)
        do {
            let value = try body()
            try commit()
            return value
        } catch {
            rollBack()
            throw error
        }
    }

    /// Starts a transaction that ``commit()`` or ``rollBack()`` ends.
    package func begin(_ kind: TransactionKind = .immediate) throws {
        try run(kind == .immediate ? "BEGIN IMMEDIATE" : "BEGIN")
    }

    package func commit() throws { try run("COMMIT") }

    func writeDeferredRows() throws {
        hasDeferredRows = false
        try deferredRows?.write()
    }

    package func rollBack() {
        hasDeferredRows = false
        deferredRows?.discard()
        // After a full disk SQLite may have rolled back by itself (https://sqlite.org/lang_transaction.html).
        if isInTransaction { try? execute("ROLLBACK") }
    }

    /// Moves the content of the write-ahead log into the database file, and empties the log
    /// (https://sqlite.org/pragma.html#pragma_wal_checkpoint). Does not wait for other connections.
    ///
    /// - Returns: `false` if another connection reads or writes just now, so that the log still has content.
    package func emptyLog() throws -> Bool {
        sqlite3_busy_timeout(handle, 0)
        defer { sqlite3_busy_timeout(handle, Self.patience) }
        do {
            return try first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.int(0) == 0 } ?? false
        } catch let error as SQLiteError where error.isLocked {
            return false
        }
    }

    /// The text of every statement that was prepared on this connection.
    var preparedStatements: [String] { keptTexts.union(statements.keys).sorted() }

    private func prepared(_ sql: String) throws -> SQLiteStatement {
        if let known = statements[sql] { return known }
        let statement = try prepare(sql)
        statements[sql] = statement
        return statement
    }

    private func prepare(_ sql: String, seesDeferredRows: Bool = true) throws -> SQLiteStatement {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(self.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else { throw failure(code, at: sql) }
        return SQLiteStatement(handle: handle, sql: sql, connection: self, seesDeferredRows: seesDeferredRows)
    }

    func failure(_ code: Int32, at action: String) -> SQLiteError {
        SQLiteError(
            code: code & 0xff, message: String(cString: sqlite3_errmsg(handle)), path: path,
            action: String(action.prefix(80)), systemCode: sqlite3_system_errno(handle))
    }
}

/// Rows that were passed in and are not in the database yet, so that many can be inserted by one statement. They are
/// written before any statement runs that could read them, a commit among them.
protocol DeferredRows: AnyObject {
    func write() throws
    /// After a rollback.
    func discard()
}

/// SQLite's settings for the whole process.
package enum SQLiteLibrary {
    /// Switches off SQLite's memory statistics, which take a lock with each allocation.
    ///
    /// Only for a program that no other code shares SQLite with, and before its first connection; after that it does
    /// nothing.
    package static func leaveOutStatistics() { _ = bgw_sqlite_leave_out_statistics() }
}
