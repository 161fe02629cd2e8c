import TestSupport
import Testing

@testable import BackgroundWorkStorage

/// Schemas that grow, on made-up steps.
struct SchemaMigratorTests {
    let folder: TemporaryFolder
    private let first = "CREATE TABLE things (name TEXT NOT NULL); INSERT INTO things VALUES ('old');"
    private let second = "ALTER TABLE things ADD COLUMN size INTEGER NOT NULL DEFAULT 7;"

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> SQLiteConnection {
        try SQLiteConnection(path: folder.path + "/made-up.sqlite", mode: .readWriteCreate)
    }

    @Test("missing steps are applied in order, each once, and existing data stays")
    func steps() throws {
        try SchemaMigrator(title: "made-up", steps: [first]).migrate(open())
        let later = SchemaMigrator(title: "made-up", steps: [first, second])
        for _ in 0..<2 {
            let connection = try open()
            try later.migrate(connection)
            let rows = try connection.first("SELECT name, size FROM things") { ($0.text(0), $0.int(1)) }
            #expect(rows?.0 == "old" && rows?.1 == 7)
            #expect(try connection.first("SELECT count(*) FROM things") { $0.int(0) } == 1)
            #expect(try connection.first("PRAGMA user_version") { $0.int(0) } == 2)
        }
    }

    @Test("a step that fails leaves the version before it, whole")
    func failure() throws {
        let broken = SchemaMigrator(title: "made-up", steps: [first, second + "SELECT nothing FROM nowhere;"])
        #expect(throws: SQLiteError.self) { try broken.migrate(open()) }
        let connection = try open()
        #expect(try connection.first("PRAGMA user_version") { $0.int(0) } == 1)
        #expect(throws: SQLiteError.self) { try connection.execute("SELECT size FROM things") }
        try SchemaMigrator(title: "made-up", steps: [first, second]).migrate(connection)
        #expect(try connection.first("SELECT size FROM things") { $0.int(0) } == 7)
    }
}
