import BackgroundWork
import Foundation

/// Runs one request of a built-in worker in this process: `built-in DIRECTORY WORKER INPUT [ATTEMPTS]`. It ends with a line
/// for the work's event, also if an earlier process has brought about that.
enum BuiltInHost {
    static func run(_ arguments: [String]) async throws -> Never {
        guard (3...4).contains(arguments.count) else { exit(64) }
        var configuration = WorkScheduler.Configuration(directory: URL(filePath: arguments[0]))
        configuration.securityPolicy = .unrestricted
        let scheduler = try WorkScheduler(configuration: configuration, workers: WorkerRegistry())
        let events = try await scheduler.eventBus.events(for: "test")
        if try await scheduler.info(id: "work") == nil {
            let policy = RetryPolicy.linear(
                initialDelay: .zero, maximumDelay: .zero,
                maximumAttempts: arguments.dropFirst(3).first.flatMap(Int.init) ?? 1,
                jitter: 0)
            let request = TaskRequest(workerClassName: arguments[1], inputJSON: arguments[2], retryPolicy: policy)
            say("\(try await scheduler.enqueue(request, id: "work"))")
        }
        try await scheduler.start()
        for await event in events {
            say("\(event.outcome.rawValue): \(event.message ?? "") \(event.outputJSON ?? "")")
            break
        }
        await scheduler.shutdown()
        exit(0)
    }
}
