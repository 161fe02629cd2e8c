import BackgroundWork
import Foundation

/// A small host, as an app or a service would have it: it registers its workers, listens, sweeps, starts, and
/// enqueues a chain if it was asked to. It may be killed at any instant; the agent starts it again.
enum ExampleHost {
    static func main(directory: String, order: DownloadOrder?) async throws {
        var workers = WorkerRegistry()
        try workers.register(VerifyWorker.self) { VerifyWorker() }
        try workers.register(ReportWorker.self) { ReportWorker() }

        var configuration = WorkScheduler.Configuration(directory: URL(filePath: directory))
        configuration.launchCommand = .thisProgram(arguments: ["demo-host", "--directory", directory])
        configuration.addressPolicy = .unrestricted  // the demo's server is on this machine
        let scheduler = try WorkScheduler(configuration: configuration, workers: workers)

        let events = try await scheduler.eventBus.events(for: "example-host")
        Task {
            for await event in events {
                print("event \(event.sequence): \(event.workID) \(event.outcome.rawValue): \(event.message ?? "")")
                fflush(nil)
                try await event.acknowledge()
            }
        }
        print("sweep: \(try await scheduler.sweepStaleStateOnLaunch())")
        try await scheduler.start()

        if let order {
            try await scheduler.beginWith(order.request)
                .then(TaskRequest(VerifyWorker.self, input: .init(sha256: order.sha256)))
                .then(TaskRequest(ReportWorker.self, input: .init(path: directory + "/report.json")))
                .enqueue(id: "demo", policy: .keep)
        }
        await scheduler.runUntilTerminated()
    }
}
