import CBackgroundWorkSQLite

/// The current row of a statement; valid only inside the closure it is handed to.
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
