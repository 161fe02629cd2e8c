import BackgroundWork
import Foundation
import TestSupport

/// A directory on which several schedulers work: those of the test, and hosts in processes of their own.
struct SharedDirectory {
    let folder: TemporaryFolder
    private let log: LineLog

    init() throws {
        folder = try TemporaryFolder()
        log = try LineLog(Self.logPath(in: folder))
    }

    var directory: String { folder.path + "/scheduler" }

    /// What the workers of all processes have written.
    var lines: [String] {
        ((try? String(contentsOfFile: Self.logPath(in: folder), encoding: .utf8)) ?? "").split(separator: "\n")
            .map(String.init)
    }

    func append(_ line: String) throws { try log.append(line) }

    /// A scheduler in the test's process. What a worker of some name does is the test's to say.
    func scheduler(
        slots: Int = 1,
        workers: [String: @Sendable (WorkerContext) async throws -> WorkerResult] = [:]
    ) throws -> WorkScheduler {
        var registry = WorkerRegistry()
        for (name, run) in workers { try registry.register(name) { _, context in try await run(context) } }
        var configuration = WorkScheduler.Configuration(directory: URL(filePath: directory))
        configuration.maximumConcurrentWork = slots
        configuration.queueLimits = ["one": QueueLimits(maximumConcurrent: 1)]
        return try WorkScheduler(configuration: configuration, workers: registry)
    }

    func startHost(slots: Int = 1, withoutInotify: Bool = false) throws -> SharedHost {
        try SharedHost(
            directory: directory, slots: slots, log: Self.logPath(in: folder), folder: folder.path,
            withoutInotify: withoutInotify)
    }

    private static func logPath(in folder: TemporaryFolder) -> String { folder.path + "/lines.log" }
}
