/// Which items bear which tag.
final class TagTable {
    private let connection: SQLiteConnection
    private let inserting: MultiRowInsert
    private var deferred: [(tag: String, work: Int64)] = []
    private lazy var deleting = Result { try connection.statement("DELETE FROM tags WHERE tag = ? AND work = ?") }

    init(connection: SQLiteConnection) {
        self.connection = connection
        inserting = MultiRowInsert(into: "tags", columns: 2, connection)
    }

    func insert(_ tags: Set<String>, of work: Int64) {
        for tag in tags { deferred.append((tag, work)) }
        connection.hasDeferredRows = true
    }

    func writeDeferred() throws {
        defer { discardDeferred() }
        try inserting.insert(deferred) { statement, last, row in
            statement.bind(last + 1, row.tag)
            statement.bind(last + 2, row.work)
        }
    }

    func discardDeferred() { deferred.removeAll(keepingCapacity: true) }

    func delete(_ tags: Set<String>, of work: Int64) throws {
        let statement = try deleting.get()
        for tag in tags {
            statement.bind(1, tag)
            statement.bind(2, work)
            try statement.run()
        }
    }
}
