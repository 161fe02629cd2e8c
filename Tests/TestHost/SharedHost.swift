import BackgroundWork
import Foundation
import TestSupport

/// One of several processes on a directory: `shared DIRECTORY SLOTS LOG`. It runs what is there, says what it does and
/// what events it sees, and stays until it is killed.
enum SharedHost {
    static func run(_ arguments: [String]) async throws -> Never {
        guard arguments.count == 3, let slots = Int(arguments[1]) else { exit(64) }
        let log = try LineLog(arguments[2])
        var workers = WorkerRegistry()
        try workers.register("Line") { _, context in
            try log.append(context.workID)
            say("ran \(context.workID)")
            return .success()
        }
        try workers.register("Span") { _, context in
            try log.append("begin \(context.workID)")
            for _ in 0..<20 { await Task.yield() }
            try log.append("end \(context.workID)")
            return .success()
        }
        try workers.register("Hold") { _, context in
            say("holds \(context.workID)")
            do {
                try await Task.sleep(for: .seconds(86_400))
            } catch {
                say("stopped \(context.workID) \(context.stopReason?.rawValue ?? "for no reason")")
                throw error
            }
            return .success()
        }
        var configuration = WorkScheduler.Configuration(directory: URL(filePath: arguments[0]))
        configuration.maximumConcurrentWork = slots
        configuration.queueLimits = ["one": QueueLimits(maximumConcurrent: 1)]
        let scheduler = try WorkScheduler(configuration: configuration, workers: workers)
        let live = scheduler.eventBus.events
        try await scheduler.start()
        say("started")
        for await event in live { say("event \(event.workID)") }
        exit(0)
    }
}
