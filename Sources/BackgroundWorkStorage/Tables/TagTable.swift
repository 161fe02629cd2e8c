/// Which items bear which tag.
final class TagTable {
    private let connection: SQLiteConnection
    private lazy var inserting = Result {
        try connection.statement("INSERT INTO tags (tag, work) VALUES (?, ?)", seesDeferredRows: false)
    }
    private lazy var deleting = Result {
        try connection.statement("DELETE FROM tags WHERE tag = ? AND work = ?", seesDeferredRows: false)
    }

    init(connection: SQLiteConnection) { self.connection = connection }

    func insert(_ tags: Set<String>, of work: Int64) throws {
        for tag in tags { try run(inserting.get(), tag, work) }
    }

    func delete(_ tags: Set<String>, of work: Int64) throws {
        for tag in tags { try run(deleting.get(), tag, work) }
    }

    private func run(_ statement: SQLiteStatement, _ tag: String, _ work: Int64) throws {
        statement.bind(1, tag)
        statement.bind(2, work)
        try statement.run()
    }
}
