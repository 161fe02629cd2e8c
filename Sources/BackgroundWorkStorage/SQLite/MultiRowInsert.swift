/// Inserts rows by as few statements as possible: what a statement costs beside its rows is a third of what a row does.
final class MultiRowInsert {
    /// The largest number of rows in a statement; then a quarter of the one before.
    private static let largest = 16

    private let connection: SQLiteConnection
    private let table: String
    private let columns: Int
    private var statements: [Int: SQLiteStatement] = [:]

    init(into table: String, columns: Int, _ connection: SQLiteConnection) {
        self.connection = connection
        self.table = table
        self.columns = columns
    }

    /// Inserts all elements.
    ///
    /// - Parameter bind: binds one to the parameters after the given number.
    func insert<Element>(_ rows: [Element], bind: (SQLiteStatement, Int32, Element) throws -> Void) throws {
        var next = 0
        var size = Self.largest
        while next < rows.count {
            while size > rows.count - next { size /= 4 }
            let statement = try statement(rows: size)
            for offset in 0..<size { try bind(statement, Int32(offset * columns), rows[next + offset]) }
            try statement.run()
            next += size
        }
    }

    private func statement(rows: Int) throws -> SQLiteStatement {
        if let known = statements[rows] { return known }
        let row = "(" + Array(repeating: "?", count: columns).joined(separator: ", ") + ")"
        let statement = try connection.statement(
            "INSERT INTO \(table) VALUES " + Array(repeating: row, count: rows).joined(separator: ", "),
            seesDeferredRows: false)
        statements[rows] = statement
        return statement
    }
}
