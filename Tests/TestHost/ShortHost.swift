import BackgroundWork
import BackgroundWorkSystem
import Foundation
import TestSupport

/// A process that lives for a moment: `short DIRECTORY LOG SEED COUNT END`. It starts a scheduler, enqueues COUNT
/// requests, of which each that was accepted leaves a line in the log, and ends some microseconds later: with END
/// `shutdown` after a shutdown, with `exit` without.
enum ShortHost {
    static func run(_ arguments: [String]) async throws -> Never {
        guard arguments.count == 5, let seed = UInt64(arguments[2]), let count = Int(arguments[3]) else { exit(64) }
        let log = try LineLog(arguments[1])
        var workers = WorkerRegistry()
        try workers.register("Quick") { _, _ in .success() }
        let scheduler = try WorkScheduler(
            configuration: .init(directory: URL(filePath: arguments[0])), workers: workers)
        try await scheduler.start()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    let id = "\(seed)-\(number)"
                    try await scheduler.enqueue(TaskRequest(workerClassName: "Quick"), id: id)
                    try log.append(id)
                }
            }
            try await group.waitForAll()
        }
        // Somewhere within a millisecond, since each of these moments is one at which a process may end.
        var generator = SeededGenerator(seed: seed)
        usleep(UInt32.random(in: 0..<1000, using: &generator))
        if arguments[4] == "shutdown" { await scheduler.shutdown() }
        exit(0)
    }
}
