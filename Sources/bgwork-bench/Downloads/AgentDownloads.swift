import BackgroundWork
import Foundation

/// Downloads through a scheduler of its own and the real agent, in an empty directory.
struct AgentDownloads {
    struct File: Sendable {
        var url: String
        var path: String
    }

    var directory: String
    var agent: String
    /// How many requests the scheduler hands off at the same time.
    var concurrency = 64
    var limits = TransferLimits()

    func start(retainedEvents: Int = 10_000) async throws -> WorkScheduler {
        var configuration = WorkScheduler.Configuration(directory: URL(filePath: directory))
        configuration.securityPolicy = .unrestricted
        // Among them /dev/shm, which is open only to who names it.
        configuration.securityPolicy.allowedDirectories = ["/", "/dev/shm"]
        configuration.agentExecutable = agent
        configuration.maximumConcurrentWork = concurrency
        configuration.retainedEvents = retainedEvents
        configuration.transferLimits = limits
        let scheduler = try WorkScheduler(configuration: configuration, workers: WorkerRegistry())
        try await scheduler.start()
        return scheduler
    }

    /// Ends when the last file's event has come. Throws when one failed.
    func fetch(_ files: [File]) async throws -> WorkScheduler {
        let scheduler = try await start(retainedEvents: max(2 * files.count, 10_000))
        let events = try await scheduler.eventBus.events(for: "benchmark")
        try await scheduler.enqueue(contentsOf: files.map(Self.submission))
        var count = 0
        for await event in events {
            guard event.success else {
                throw CommandLineTool.Failed(description: "a download failed: \(event.message ?? "without a message")")
            }
            count += 1
            if count == files.count { break }
        }
        return scheduler
    }

    static func submission(_ file: File) -> TaskSubmission {
        TaskSubmission(
            TaskRequest(
                BackgroundDownloadWorker.self, input: DownloadConfiguration(url: file.url, savePath: file.path)))
    }
}
