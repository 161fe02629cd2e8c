import CBackgroundWorkSQLite

/// A prepared statement, owned by its connection or by the table type that runs it.
///
/// Lives on its connection's queue. Parameters are counted from 1, columns from 0, as SQLite does.
package final class SQLiteStatement {
    let handle: OpaquePointer
    private let sql: String
    private unowned let connection: SQLiteConnection
    private let seesDeferredRows: Bool
    /// The first binding error since the last run.
    private var bindingFailure: Int32 = SQLITE_OK
    /// The storage of bound texts until the statement has run.
    private let texts = BoundTexts()

    init(handle: OpaquePointer, sql: String, connection: SQLiteConnection, seesDeferredRows: Bool) {
        self.seesDeferredRows = seesDeferredRows
        self.handle = handle
        self.sql = sql
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    // MARK: Parameters

    func bind(_ bindings: [SQLiteBinding]) {
        for (offset, binding) in bindings.enumerated() {
            let index = Int32(offset + 1)
            switch binding {
            case .null: bindNull(index)
            case .int(let value): bind(index, value)
            case .text(let text): bind(index, text)
            }
        }
    }

    func bind(_ index: Int32, _ value: Int64) { note(sqlite3_bind_int64(handle, index, value)) }

    func bind(_ index: Int32, _ value: Int) { bind(index, Int64(value)) }

    func bind(_ index: Int32, _ value: Int64?) {
        if let value { bind(index, value) } else { bindNull(index) }
    }

    func bind(_ index: Int32, _ text: String?) {
        if let text { bind(index, text) } else { bindNull(index) }
    }

    /// Lengths are passed, so a text with NUL in it is stored whole.
    func bind(_ index: Int32, _ text: String) {
        var text = text
        let code = text.withUTF8 { bytes in
            let count = Int32(bytes.count)
            // A copy made by SQLite costs an allocation and two locks.
            if let kept = texts.keep(bytes) { return sqlite3_bind_text(handle, index, kept, count, nil) }
            guard let base = bytes.baseAddress else { return bgw_sqlite_bind_text_copy(handle, index, "", 0) }
            return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                bgw_sqlite_bind_text_copy(handle, index, $0, count)
            }
        }
        note(code)
    }

    func bindNull(_ index: Int32) { note(sqlite3_bind_null(handle, index)) }

    private func note(_ code: Int32) {
        if code != SQLITE_OK, bindingFailure == SQLITE_OK { bindingFailure = code }
    }

    // MARK: Running

    /// True when there is a row, false when the statement is done.
    func step() throws -> Bool {
        guard bindingFailure == SQLITE_OK else { throw connection.failure(bindingFailure, at: sql) }
        if seesDeferredRows, connection.hasDeferredRows { try connection.writeDeferredRows() }
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw connection.failure(code, at: sql)
        }
    }

    /// Makes the statement ready to be run again. Numbers stay bound; texts have to be bound again.
    func reset() {
        sqlite3_reset(handle)
        bindingFailure = SQLITE_OK
        texts.forget()
    }

    /// Frees the memory of bound values; for statements that bind large texts and run rarely.
    func clear() {
        reset()
        sqlite3_clear_bindings(handle)
    }

    /// Runs the statement to its end, ignoring any rows, and returns how many rows it changed.
    @discardableResult
    func run() throws -> Int {
        defer { reset() }
        while try step() {}
        return connection.changes
    }

    /// Runs the statement and passes each row to `body`.
    func rows(_ body: (borrowing SQLiteRow) throws -> Void) throws {
        defer { reset() }
        while try step() { try body(SQLiteRow(statement: handle)) }
    }

    /// Runs the statement and returns what `body` makes of its first row, or `nil` if there is none.
    func first<Value>(_ body: (borrowing SQLiteRow) throws -> Value) throws -> Value? {
        defer { reset() }
        return try step() ? try body(SQLiteRow(statement: handle)) : nil
    }
}

/// A value bound to a statement's parameter.
package enum SQLiteBinding: Sendable {
    case null
    case int(Int64)
    case text(String)

    package static func int(_ value: Int) -> SQLiteBinding { .int(Int64(value)) }

    package static func optional(_ text: String?) -> SQLiteBinding { text.map(SQLiteBinding.text) ?? .null }

    package static func optional(_ integer: Int64?) -> SQLiteBinding { integer.map(SQLiteBinding.int) ?? .null }
}

/// The current row of a statement; valid only inside the closure that receives it.
package struct SQLiteRow: ~Copyable {
    let statement: OpaquePointer

    package func int(_ column: Int) -> Int64 { sqlite3_column_int64(statement, Int32(column)) }

    package func optionalInt(_ column: Int) -> Int64? { isNull(column) ? nil : int(column) }

    package func text(_ column: Int) -> String { optionalText(column) ?? "" }

    package func optionalText(_ column: Int) -> String? {
        guard let bytes = sqlite3_column_text(statement, Int32(column)) else { return nil }
        let count = Int(sqlite3_column_bytes(statement, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    package func isNull(_ column: Int) -> Bool {
        sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL
    }
}

/// The texts that a statement is run with, in one separate block of memory, so that SQLite need not copy each.
///
/// As large as earlier runs have needed, up to a limit; a text that does not fit is not kept.
final class BoundTexts {
    /// The most memory that one statement keeps, in bytes.
    private static let mostBytes = 32_768
    private static let fewestBytes = 256

    private var memory = UnsafeMutableBufferPointer<CChar>(start: nil, count: 0)
    private var used = 0
    /// How many bytes did not fit.
    private var missed = 0

    deinit { memory.deallocate() }

    /// The address of the text until ``forget()``; `nil` if it does not fit, or is empty.
    func keep(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafePointer<CChar>? {
        guard let source = bytes.baseAddress, !bytes.isEmpty else { return nil }
        guard let start = memory.baseAddress, bytes.count <= memory.count - used else {
            missed += bytes.count
            return nil
        }
        let place = start + used
        UnsafeMutableRawPointer(place).copyMemory(from: source, byteCount: bytes.count)
        used += bytes.count
        return UnsafePointer(place)
    }

    /// The statement has run and will not read the texts again.
    func forget() {
        let needed = used + missed
        used = 0
        guard missed > 0 else { return }
        missed = 0
        guard memory.count < Self.mostBytes else { return }
        memory.deallocate()
        var size = Self.fewestBytes
        while size < needed && size < Self.mostBytes { size *= 2 }
        memory = .allocate(capacity: size)
    }
}
