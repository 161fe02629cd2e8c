import CBackgroundWorkSQLite

/// A prepared statement, owned by its connection.
final class SQLiteStatement {
    let handle: OpaquePointer
    private let sql: String
    private unowned let connection: SQLiteConnection

    init(handle: OpaquePointer, sql: String, connection: SQLiteConnection) {
        self.handle = handle
        self.sql = sql
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    func bind(_ bindings: [SQLiteBinding]) throws {
        for (offset, binding) in bindings.enumerated() {
            let index = Int32(offset + 1)
            let code =
                switch binding {
                case .null: sqlite3_bind_null(handle, index)
                case .int(let value): sqlite3_bind_int64(handle, index, value)
                case .text(let text): bind(text, at: index)
                }
            guard code == SQLITE_OK else { throw connection.failure(code, at: sql) }
        }
    }

    /// Lengths are passed, so a text with NUL in it is stored whole.
    private func bind(_ text: String, at index: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
            guard let base = bytes.baseAddress else { return bgw_sqlite_bind_text_copy(handle, index, "", 0) }
            return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                bgw_sqlite_bind_text_copy(handle, index, $0, Int32(bytes.count))
            }
        }
    }

    /// True when there is a row, false when the statement is done.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw connection.failure(code, at: sql)
        }
    }

    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }
}
