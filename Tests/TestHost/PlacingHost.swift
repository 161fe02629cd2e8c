import BackgroundWork
import Foundation
import TestSupport

/// A download whose daemon is a folder: `place DIRECTORY SAVE-PATH POLICY [MODE]`. It ends when the daemon has forgotten the
/// transfer, with a line for the event.
enum PlacingHost {
    static func run(_ arguments: [String]) async throws -> Never {
        guard (3...4).contains(arguments.count), let policy = DuplicatePolicy(rawValue: arguments[2]) else { exit(64) }
        let service = try FolderTransferService(folder: arguments[0] + "/daemon")
        var configuration = WorkScheduler.Configuration(directory: URL(filePath: arguments[0]))
        configuration.transferService = service
        let scheduler = try WorkScheduler(configuration: configuration, workers: WorkerRegistry())
        let events = try await scheduler.eventBus.events(for: "test")
        try await scheduler.start()
        var download = DownloadConfiguration(url: "https://example.com/file.bin", savePath: arguments[1])
        download.onDuplicate = policy
        if arguments.count == 4 { download.fileMode = UInt16(arguments[3], radix: 8).map(FileMode.init) }
        if try await scheduler.info(id: "d") == nil {
            let input = String(decoding: try JSONEncoder().encode(download), as: UTF8.self)
            try await scheduler.enqueue(
                TaskRequest(workerClassName: "BackgroundDownloadWorker", inputJSON: input, retryPolicy: .never),
                id: "d")
        }
        for await event in events {
            say("\(event.outcome.rawValue): \(event.message ?? "") \(event.outputJSON ?? "")")
            break
        }
        // Processes what is in progress.
        await scheduler.shutdown()
        exit(service.records.isEmpty ? 0 : 1)
    }
}
