import BackgroundWork
import Foundation

/// Work of one worker: `worker DIRECTORY NAME INPUT-FILE [ATTEMPTS]`. It enqueues the work "w" unless it is there, and ends
/// when that has finished, with a line for the event and its output.
enum WorkerHost {
    static func run(_ arguments: [String]) async throws -> Never {
        guard (3...4).contains(arguments.count) else { exit(64) }
        let attempts = arguments.dropFirst(3).first.flatMap(Int.init) ?? 5
        var configuration = WorkScheduler.Configuration(directory: URL(filePath: arguments[0]))
        configuration.securityPolicy = .unrestricted
        let scheduler = try WorkScheduler(configuration: configuration, workers: WorkerRegistry())
        let events = try await scheduler.eventBus.events(for: "test")
        try await scheduler.start()
        if try await scheduler.info(id: "w") == nil {
            let answer = try await scheduler.enqueue(
                TaskRequest(
                    workerClassName: arguments[1],
                    inputJSON: String(decoding: try Data(contentsOf: URL(filePath: arguments[2])), as: UTF8.self),
                    retryPolicy: .linear(initialDelay: .milliseconds(50), maximumAttempts: attempts, jitter: 0)),
                id: "w")
            say("enqueued \(answer)")
        }
        for await event in events {
            say("\(event.outcome.rawValue): \(event.message ?? "") \(event.outputJSON ?? "")")
            break
        }
        await scheduler.shutdown()
        exit(0)
    }
}
