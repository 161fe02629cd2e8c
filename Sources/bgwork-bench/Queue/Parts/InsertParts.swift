import BackgroundWorkStorage
import Foundation
import Synchronization

/// A database with one table like a queue's, written by bare SQL with the durability of the scheduler's own: WAL and
/// `synchronous=FULL`.
final class BareDatabase: Sendable {
    private let connection: Mutex<SQLiteConnection>

    init(folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let connection = try SQLiteConnection(path: folder.path + "/bare.sqlite", mode: .readWriteCreate)
        try connection.execute(
            """
            CREATE TABLE work (
                seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, worker TEXT NOT NULL, input TEXT, state INTEGER NOT NULL,
                priority INTEGER NOT NULL, due INTEGER NOT NULL);
            CREATE INDEX due ON work (priority, due)
            """)
        self.connection = Mutex(connection)
    }

    /// Inserts one row in a transaction of its own.
    func insert() throws {
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        _ = try connection.withLock { connection in
            try connection.run(
                "INSERT INTO work (id, worker, input, state, priority, due) VALUES (?, 'NoOp', '{\"n\":1}', 0, 2, ?)",
                .text(UUID().uuidString.lowercased()), .int(now + 86_400_000))
        }
    }
}
