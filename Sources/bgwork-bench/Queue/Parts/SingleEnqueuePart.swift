import BackgroundWork
import Foundation

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
