import TestSupport
import Testing

@testable import BackgroundWorkStorage

@Suite("Rows that are inserted many at a time")
struct MultiRowInsertTests {
    /// Keeps numbers until a query reads them.
    private final class Numbers: DeferredRows {
        let inserting: MultiRowInsert
        var deferred: [Int64] = []

        init(_ connection: SQLiteConnection) {
            inserting = MultiRowInsert(into: "numbers", columns: 2, connection)
            connection.deferredRows = self
        }

        func write() throws {
            defer { discard() }
            try inserting.insert(deferred) { statement, last, number in
                statement.bind(last + 1, number)
                statement.bind(last + 2, "number \(number)")
            }
        }

        func discard() { deferred = [] }

        func add(_ number: Int64, to connection: SQLiteConnection) {
            deferred.append(number)
            connection.hasDeferredRows = true
        }
    }

    private let folder: TemporaryFolder
    private let connection: SQLiteConnection
    private let numbers: Numbers

    init() throws {
        folder = try TemporaryFolder()
        connection = try SQLiteConnection(path: folder.path + "/numbers.sqlite", mode: .readWriteCreate)
        try connection.execute("CREATE TABLE numbers (number INTEGER PRIMARY KEY, text TEXT NOT NULL)")
        try connection.execute("CREATE TABLE others (number INTEGER PRIMARY KEY)")
        numbers = Numbers(connection)
    }

    private func stored() throws -> [Int64] {
        var found: [Int64] = []
        try connection.rows("SELECT number FROM numbers WHERE text = 'number ' || number ORDER BY number") {
            found.append($0.int(0))
        }
        return found
    }

    @Test("every row arrives once, whatever their number", arguments: [1, 2, 3, 4, 5, 15, 16, 17, 21, 63, 64, 1000])
    func counts(count: Int) throws {
        for number in 1...Int64(count) { numbers.add(number, to: connection) }
        #expect(try stored() == Array(1...Int64(count)))
    }

    @Test("deferred rows are seen by any query, and written by a commit if there is none")
    func seen() throws {
        try connection.begin()
        numbers.add(1, to: connection)
        #expect(try stored() == [1])
        numbers.add(2, to: connection)
        try connection.commit()
        #expect(numbers.deferred.isEmpty)
        #expect(try stored() == [1, 2])
    }

    @Test("a statement that does not concern deferred rows leaves them, and a prepared one writes them")
    func kept() throws {
        let apart = try connection.statement("INSERT INTO others VALUES (1)", seesDeferredRows: false)
        let counting = try connection.statement("SELECT count(*) FROM numbers")
        numbers.add(1, to: connection)
        try apart.run()
        #expect(numbers.deferred == [1])
        #expect(try counting.first { $0.int(0) } == 1)
    }

    @Test("a rollback takes them along, and a part that is undone only its own")
    func rollBack() throws {
        try connection.begin()
        numbers.add(1, to: connection)
        connection.rollBack()
        #expect(try stored().isEmpty)
        try connection.begin()
        numbers.add(2, to: connection)
        try connection.run("SAVEPOINT part")
        numbers.add(3, to: connection)
        try connection.run("ROLLBACK TO part")
        try connection.run("RELEASE part")
        try connection.commit()
        #expect(try stored() == [2])
    }

    @Test("rows that cannot be written fail the statement that would have seen them, and are not tried again")
    func refused() throws {
        try connection.begin()
        numbers.add(1, to: connection)
        numbers.add(1, to: connection)
        #expect(throws: SQLiteError.self) { try connection.commit() }
        connection.rollBack()
        #expect(try stored().isEmpty)
    }
}
