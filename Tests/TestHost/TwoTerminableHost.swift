import BackgroundWork
import Foundation

/// Two schedulers in one process that end when it is told to: `two-terminable DIRECTORY`.
enum TwoTerminableHost {
    static func run(_ arguments: [String]) async throws -> Never {
        guard arguments.count == 1 else { exit(64) }
        let schedulers = try ["a", "b"].map { name in
            try WorkScheduler(
                configuration: .init(directory: URL(filePath: arguments[0]).appending(path: name)),
                workers: WorkerRegistry())
        }
        for scheduler in schedulers { try await scheduler.start() }
        await withTaskGroup(of: Void.self) { group in
            for scheduler in schedulers { group.addTask { await scheduler.runUntilTerminated() } }
        }
        exit(0)
    }
}
