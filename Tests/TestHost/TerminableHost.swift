import BackgroundWork
import BackgroundWorkSystem
import Foundation
import TestSupport

/// A host that ends when it is told to: `terminable DIRECTORY LOG GRACE_MS [AGENT]`. Its worker `Block` blocks the
/// thread that it runs on for a minute; each run leaves a line in the log before. With an agent it is one that wants to
/// be launched.
enum TerminableHost {
    static func run(_ arguments: [String]) async throws -> Never {
        guard (3...4).contains(arguments.count), let grace = Int(arguments[2]) else { exit(64) }
        let log = try LineLog(arguments[1])
        var workers = WorkerRegistry()
        try workers.register("Block") { _, context in
            try log.append("blocks \(context.workID)")
            sleep(60)
            return .success()
        }
        var configuration = WorkScheduler.Configuration(directory: URL(filePath: arguments[0]))
        configuration.maximumConcurrentWork = 16
        configuration.securityPolicy = .unrestricted
        if arguments.count == 4 {
            configuration.agentExecutable = arguments[3]
            configuration.launchCommand = LaunchCommand(arguments: ["/bin/true"])
        }
        let scheduler = try WorkScheduler(configuration: configuration, workers: workers)
        try await scheduler.start()
        say("started")
        await scheduler.runUntilTerminated(gracePeriod: .milliseconds(grace))
        exit(0)
    }
}
