import BackgroundWork
import Foundation

/// A process that runs one archive worker: `archive DIRECTORY WORKER INPUT-JSON [once]`. It enqueues the request "a" unless it is
/// there, ends when that has finished, and says how.
enum ArchiveHost {
    static func run(_ arguments: [String]) async throws -> Never {
        guard (3...4).contains(arguments.count) else { exit(64) }
        let configuration = WorkScheduler.Configuration(directory: URL(filePath: arguments[0]))
        let scheduler = try WorkScheduler(configuration: configuration, workers: WorkerRegistry())
        var request = TaskRequest(workerClassName: arguments[1], inputJSON: arguments[2])
        request.isIdempotent = arguments.count == 3
        let events = scheduler.eventBus.events
        try await scheduler.start()
        if try await scheduler.info(id: "a") == nil { say("\(try await scheduler.enqueue(request, id: "a"))") }
        // Finished by an earlier process, whose end came later still.
        let isFinished = try await scheduler.info(id: "a")?.state.isFinished ?? false
        if isFinished {
            for event in try await scheduler.executionHistory() { say("\(event.outcome.rawValue) earlier") }
        } else {
            for await event in events where event.workID == "a" {
                say("\(event.outcome.rawValue) \(event.message ?? "")")
                say("output \(event.outputJSON ?? "")")
                break
            }
        }
        await scheduler.shutdown()
        exit(0)
    }
}
