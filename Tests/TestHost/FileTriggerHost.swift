import BackgroundWork
import BackgroundWorkSystem
import Foundation
import TestSupport

/// A host with work that waits for a file: `file-trigger DIRECTORY AGENT PATH LOG` says "waiting" and stays. Launched, as
/// `file-trigger DIRECTORY AGENT PATH LOG launched`, it ends after the run of one change. Each run leaves a line in the log.
enum FileTriggerHost {
    static func run(_ arguments: [String]) async throws -> Never {
        guard arguments.count >= 4 else { exit(64) }
        let (directory, agent, path) = (arguments[0], arguments[1], arguments[2])
        let log = try LineLog(arguments[3])
        let isLaunched = arguments.count == 5
        var workers = WorkerRegistry()
        try workers.register("W") { _, _ in
            try log.append("ran \(isLaunched ? "launched" : "at once")")
            return .success()
        }
        var configuration = WorkScheduler.Configuration(directory: URL(filePath: directory))
        configuration.agentExecutable = agent
        configuration.launchCommand = .thisProgram(
            arguments: ["file-trigger"] + arguments.prefix(4) + ["launched"])
        let scheduler = try WorkScheduler(configuration: configuration, workers: workers)
        let events = scheduler.eventBus.events
        try await scheduler.start()
        if isLaunched {
            _ = await events.first { _ in true }
        } else {
            try await scheduler.enqueue(
                TaskRequest(workerClassName: "W"), id: "w",
                trigger: .fileChanged(path: path, debounce: .milliseconds(20)), policy: .keep)
            say("waiting")
            try await Task.sleep(for: .seconds(86_400))
        }
        await scheduler.shutdown()
        exit(0)
    }
}
