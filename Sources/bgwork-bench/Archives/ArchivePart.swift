import BackgroundWork
import Foundation

/// One archive worker in a process of its own: `archive-part REPORT compress|extract INPUT OUTPUT`. Its peak memory goes
/// to the report.
enum ArchivePart {
    static func run(_ arguments: [String]) async throws {
        guard arguments.count == 4 else { exit(64) }
        let directory = URL(filePath: arguments[0] + ".work")
        defer { try? FileManager.default.removeItem(at: directory) }
        let scheduler = try WorkScheduler(
            configuration: .init(directory: directory), workers: WorkerRegistry())
        let watch = MemoryWatch()
        let events = scheduler.eventBus.events
        try await scheduler.start()
        let request: TaskRequest
        if arguments[1] == "compress" {
            let input = FileCompressionConfiguration(inputPath: arguments[2], outputPath: arguments[3])
            request = try TaskRequest(FileCompressionWorker.self, input: input)
        } else {
            let input = FileExtractionConfiguration(inputPath: arguments[2], outputPath: arguments[3])
            request = try TaskRequest(FileExtractionWorker.self, input: input)
        }
        try await scheduler.enqueue(request, id: "a")
        for await event in events where event.workID == "a" {
            guard event.outcome == .succeeded else {
                throw CommandLineTool.Failed(description: event.message ?? "failed")
            }
            break
        }
        await scheduler.shutdown()
        try JSONEncoder().encode(watch.end()).write(to: URL(filePath: arguments[0]), options: .atomic)
    }
}
