import BackgroundWorkModel
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkStorage

/// Opening the file of a store.
struct WorkStoreTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/work.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> WorkStore {
        try WorkStore(path: path, settings: .inUTC(), now: Date(), committed: { _ in })
    }

    @Test("the schema of a later program is rejected with both versions, and the file is not changed")
    func laterSchema() throws {
        do {
            _ = try open()
            let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
            try connection.execute("PRAGMA user_version = 99")
        }
        let before = try Data(contentsOf: URL(filePath: path))
        let error = #expect(throws: SchemaTooNewError.self) { try open() }
        #expect(error?.found == 99)
        #expect(error?.description.contains("99") == true)
        #expect(error?.description.contains("up to 2") == true)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test("a database of the first version keeps its work, and what its items carry over")
    func firstVersion() async throws {
        do {
            let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
            try SchemaMigrator(title: "work database", steps: [WorkSchema.migrator.steps[0]]).migrate(connection)
            try connection.execute(
                """
                CREATE VIEW items AS SELECT seq FROM work;
                INSERT INTO claim_groups VALUES (1, 'default', 'W', 0);
                INSERT INTO work VALUES (7, 'a', 1, 1, 0, 1, 0, 0, NULL, NULL, NULL, NULL, NULL);
                INSERT INTO carried VALUES (7, 3, 2, 1, 0, 0, 0, NULL, NULL, NULL, 'why', NULL, NULL, NULL, NULL, NULL);
                INSERT INTO due VALUES (1, 1, 0, 7);
                """)
        }
        let store = try open()
        let record = try #require(try await store.read { try $0.record(id: "a") })
        #expect(record.status == WorkStatus(state: .pending, generation: 3, attempt: 2, deaths: 1, exits: 0))
        #expect(record.message == "why")
    }

    @Test(
        "a file that is not a database, or a damaged one, is renamed and a new one created", arguments: [true, false])
    func damage(isDatabase: Bool) async throws {
        if isDatabase {
            _ = try open()
            let file = try FileHandle(forUpdating: URL(filePath: path))
            try file.seek(toOffset: 4096)
            try file.write(contentsOf: Data(repeating: 0xee, count: 100_000))
            try file.close()
        } else {
            try Data("this is no database, but somebody's text\n".utf8).write(to: URL(filePath: path))
        }
        let before = try Data(contentsOf: URL(filePath: path))
        let store = try open()
        let aside = try #require(store.setAside)
        #expect(aside.hasPrefix(path + ".corrupt-2"))
        #expect(try Data(contentsOf: URL(filePath: aside)) == before)
        let item = try store.item(.plain, .oneTime(), id: "a", now: .start)
        #expect(try await store.enqueue(item, .keep, now: .start) == .inserted)
        #expect(try await store.read { try $0.record(id: "a")?.id } == "a")
    }
}
