import BackgroundWork
import Foundation

/// A directory with a queue of a chosen size, and how it is opened.
struct ScaleQueue {
    let directory: URL

    /// What waits until tomorrow.
    static let later = TaskTrigger.oneTime(delay: .seconds(86_400))
    static let request = TaskRequest(workerClassName: "NoOp", inputJSON: #"{"n":1}"#)
    private static let batch = 10_000

    func scheduler() throws -> WorkScheduler {
        var workers = WorkerRegistry()
        try workers.register("NoOp") { _, _ in .success() }
        return try WorkScheduler(configuration: .init(directory: directory), workers: workers)
    }

    /// Adds requests that are never run, in batches, and reports its progress on standard error.
    func fill(_ count: Int, with request: TaskRequest = ScaleQueue.request, trigger: TaskTrigger = later) async throws {
        let scheduler = try scheduler()
        let submission = TaskSubmission(request, trigger: trigger)
        for start in stride(from: 0, to: count, by: Self.batch) {
            let size = min(Self.batch, count - start)
            try await scheduler.enqueue(contentsOf: Array(repeating: submission, count: size))
            if (start + size).isMultiple(of: 100_000) {
                FileHandle.standardError.write(Data("  \(directory.lastPathComponent): \(start + size)\n".utf8))
            }
        }
        await scheduler.shutdown()
    }

    /// Leaves one request that is due for the next opening.
    func addDueRequest() async throws {
        let scheduler = try scheduler()
        try await scheduler.enqueue(Self.request)
        await scheduler.shutdown()
    }

    /// Opens the queue and runs what is due until its event; the scheduler that did it is still up.
    func openAndRunFirst() async throws -> WorkScheduler {
        let scheduler = try scheduler()
        let events = scheduler.eventBus.events
        try await scheduler.start()
        for await _ in events { break }
        return scheduler
    }

    func copy(to target: URL) throws -> ScaleQueue {
        try FileManager.default.copyItem(at: directory, to: target)
        return ScaleQueue(directory: target)
    }
}
