import BackgroundWork
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

/// How many bare inserts a second one thread commits, each in a transaction of its own.
struct BareInsertPart {
    private let database: BareDatabase
    private let duration: Duration

    init(_ options: PartOptions) throws {
        database = try BareDatabase(folder: options.newFolder())
        duration = .milliseconds(options.number("milliseconds", default: 1000))
    }

    func measure() throws -> [String: Double] {
        let meter = Meter()
        let end = ContinuousClock.now + duration
        var inserts = 0
        while ContinuousClock.now < end {
            try database.insert()
            inserts += 1
        }
        return meter.figures(jobs: inserts)
    }
}

/// One awaited enqueue of work that is due tomorrow, and one bare insert, in turns.
struct SingleEnqueuePart {
    private let queue: NoOpQueue
    private let database: BareDatabase
    private let samples: Int

    init(_ options: PartOptions) throws {
        queue = NoOpQueue(directory: options.directory)
        database = try BareDatabase(folder: options.newFolder())
        samples = options.number("samples", default: 1000)
    }

    func measure() async throws -> [String: Double] {
        let scheduler = try await queue.started()
        var (enqueues, inserts): ([Double], [Double]) = ([], [])
        for _ in 0..<samples {
            inserts.append(try await milliseconds { try database.insert() })
            enqueues.append(
                try await milliseconds {
                    try await scheduler.enqueue(NoOpQueue.plain, trigger: .oneTime(delay: .seconds(86_400)))
                })
        }
        await scheduler.shutdown()
        return [
            "median": enqueues.median, "p99": enqueues.percentile(99), "bare-median": inserts.median,
            "bare-p99": inserts.percentile(99),
        ]
    }
}
