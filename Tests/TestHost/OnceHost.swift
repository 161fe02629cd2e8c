import BackgroundWork
import Foundation
import TestSupport

/// One of two processes with much traffic: `once DIRECTORY LOG NAME COUNT`. It enqueues so many requests that are not
/// idempotent, runs what is there, notes each begin and each stop in the log, and stays until it is killed.
enum OnceHost {
    static func run(_ arguments: [String]) async throws -> Never {
        guard arguments.count == 4, let count = Int(arguments[3]) else { exit(64) }
        let log = try LineLog(arguments[1])
        let name = arguments[2]
        var workers = WorkerRegistry()
        try workers.register("Once") { _, context in
            try log.append("begin \(context.workID)")
            do {
                for _ in 0..<2 {
                    spin(for: .milliseconds(2))
                    await Task.yield()
                    try Task.checkCancellation()
                }
            } catch {
                try log.append("stop \(context.workID) \(context.stopReason?.rawValue ?? "for no reason")")
                throw error
            }
            return .success()
        }
        var configuration = WorkScheduler.Configuration(directory: URL(filePath: arguments[0]))
        configuration.maximumConcurrentWork = 8
        let scheduler = try WorkScheduler(configuration: configuration, workers: workers)
        try await scheduler.start()
        let once = TaskRequest(workerClassName: "Once", isIdempotent: false)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for caller in 0..<4 {
                group.addTask {
                    for number in 0..<count / 4 {
                        try await scheduler.enqueue(once, id: "\(name)-\(caller)-\(number)")
                    }
                }
            }
            try await group.waitForAll()
        }
        say("enqueued")
        try await Task.sleep(for: .seconds(86_400))
        exit(0)
    }
}
