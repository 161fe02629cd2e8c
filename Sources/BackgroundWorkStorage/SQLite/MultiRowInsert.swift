/// Inserts rows by as few statements as possible: a statement's fixed cost is a third of the cost of a row.
final class MultiRowInsert {
    /// The largest number of rows in a statement; then a quarter of the previous number.
    private static let largest = 16

    private let connection: SQLiteConnection
    private let table: String
    private let columns: Int
    private let conflict: String
    private var statements: [Int: SQLiteStatement] = [:]

    /// - Parameter conflict: an `ON CONFLICT` clause, for rows that may exist already.
    init(into table: String, columns: Int, onConflict conflict: String = "", _ connection: SQLiteConnection) {
        self.connection = connection
        self.table = table
        self.columns = columns
        self.conflict = conflict
    }

    /// Inserts all elements, and returns how many of them were stored.
    ///
    /// After an error some may be stored, and the transaction is to be rolled back.
    ///
    /// - Parameter bind: binds one to the parameters after the given number.
    @discardableResult
    func insert<Element>(_ rows: [Element], bind: (SQLiteStatement, Int32, Element) throws -> Void) throws -> Int {
        var next = 0
        var stored = 0
        var size = Self.largest
        while next < rows.count {
            while size > rows.count - next { size /= 4 }
            let statement = try statement(rows: size)
            for offset in 0..<size { try bind(statement, Int32(offset * columns), rows[next + offset]) }
            stored += try statement.run()
            next += size
        }
        return stored
    }

    private func statement(rows: Int) throws -> SQLiteStatement {
        if let known = statements[rows] { return known }
        let row = "(" + Array(repeating: "?", count: columns).joined(separator: ", ") + ")"
        // FAIL: to undo the statement alone, SQLite would copy each page before it changes it
        // (https://sqlite.org/lang_conflict.html, https://sqlite.org/tempfiles.html#statement_journal_files).
        let statement = try connection.statement(
            "INSERT OR FAIL INTO \(table) VALUES " + Array(repeating: row, count: rows).joined(separator: ", ")
                + conflict, seesDeferredRows: false)
        statements[rows] = statement
        return statement
    }
}
