import BackgroundWork
import Foundation
import TestSupport

/// A host on a machine with a volume that does not answer: `hanging-path DIRECTORY PATH LOG`. It enqueues work that
/// waits for a change of PATH, and when the log says that somebody hangs there, ten other requests, one after the other.
enum HangingPathHost {
    static func run(_ arguments: [String]) async throws -> Never {
        guard arguments.count == 3 else { exit(64) }
        let (path, log) = (arguments[1], arguments[2])
        var workers = WorkerRegistry()
        try workers.register("Quick") { _, _ in .success() }
        let scheduler = try WorkScheduler(
            configuration: .init(directory: URL(filePath: arguments[0])), workers: workers)
        try await scheduler.start()
        say("started")
        let live = scheduler.eventBus.events
        let quick = TaskRequest(workerClassName: "Quick")
        if ProcessInfo.processInfo.environment["HANGING_PATH"] == nil {
            // The volume answers still.
            try await scheduler.enqueue(quick, id: "known", trigger: .fileChanged(path: path))
            _exit(0)
        }
        Task { try await scheduler.enqueue(quick, id: "watching", trigger: .fileChanged(path: path)) }
        while (try? FileManager.default.attributesOfItem(atPath: log)) == nil {
            try await Task.sleep(for: .milliseconds(5))
        }
        for number in 0..<10 { try await scheduler.enqueue(quick, id: "other-\(number)") }
        say("enqueued")
        var ended = 0
        for await event in live where event.workID.hasPrefix("other-") {
            ended += 1
            if ended == 10 { break }
        }
        say("ended")
        _exit(0)
    }
}
