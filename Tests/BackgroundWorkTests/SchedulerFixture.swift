import BackgroundWork
import Foundation
import TestSupport
import Testing

/// A scheduler on a folder of its own, and the ways tests look at it.
struct SchedulerFixture {
    let folder: TemporaryFolder
    var workers = WorkerRegistry()

    init() throws { folder = try TemporaryFolder() }

    func open(configure: (inout WorkScheduler.Configuration) -> Void = { _ in }) throws -> WorkScheduler {
        var configuration = WorkScheduler.Configuration(directory: URL(filePath: folder.path))
        configure(&configuration)
        return try WorkScheduler(configuration: configuration, workers: workers)
    }

    /// The next `count` events of a stream.
    static func take(_ count: Int, from stream: AsyncStream<TaskCompletionEvent>) async -> [TaskCompletionEvent] {
        var events: [TaskCompletionEvent] = []
        for await event in stream {
            events.append(event)
            if events.count == count { break }
        }
        return events
    }
}
