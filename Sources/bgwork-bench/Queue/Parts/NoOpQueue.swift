import BackgroundWork
import Foundation

/// A scheduler with workers that do nothing, and what is done with it in most parts.
struct NoOpQueue {
    static let limitedQueue = "limited"
    static let plain = TaskRequest(workerClassName: "NoOp", inputJSON: #"{"n":1}"#)
    /// With 1 kB of input, an output of about 100 bytes, a tag and a limit.
    static let rich = TaskRequest(
        workerClassName: "Rich", inputJSON: #"{"text":"\#(String(repeating: "x", count: 989))"}"#, tags: ["bench"],
        queue: limitedQueue)
    private static let output = #"{"text":"\#(String(repeating: "y", count: 89))"}"#

    var directory: URL
    var retainedEvents = 10_000
    /// Whether ``limitedQueue`` has its limit; plain work is not to pay for what is configured for other work.
    var isLimited = false

    func scheduler() throws -> WorkScheduler {
        var workers = WorkerRegistry()
        try workers.register("NoOp") { _, _ in .success() }
        try workers.register("Rich") { _, _ in .success(outputJSON: Self.output) }
        var configuration = WorkScheduler.Configuration(directory: directory)
        configuration.retainedEvents = retainedEvents
        if isLimited { configuration.queueLimits[Self.limitedQueue] = QueueLimits(maximumConcurrent: 16) }
        return try WorkScheduler(configuration: configuration, workers: workers)
    }

    func started() async throws -> WorkScheduler {
        let scheduler = try scheduler()
        try await scheduler.start()
        return scheduler
    }

    /// Enqueues `count` requests, of which at most `callers` are in flight.
    static func enqueue(
        _ request: TaskRequest, count: Int, callers: Int, prefix: String = "request", on scheduler: WorkScheduler
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for caller in 0..<callers {
                group.addTask {
                    for index in stride(from: caller, to: count, by: callers) {
                        try await scheduler.enqueue(request, id: "\(prefix)-\(index)")
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Returns when so many events have come; throws when one of them tells of a failure.
    static func count(_ events: AsyncStream<TaskCompletionEvent>, upTo limit: Int) async throws {
        var count = 0
        for await event in events {
            guard event.success else {
                throw CommandLineTool.Failed(description: "\(event.workID) failed: \(event.message ?? "")")
            }
            count += 1
            if count == limit { return }
        }
        throw CommandLineTool.Failed(description: "the events ended after \(count) of \(limit)")
    }
}
