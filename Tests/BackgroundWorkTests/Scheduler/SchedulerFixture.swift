import BackgroundWork
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// A scheduler on its own folder, and the inspections that tests use.
struct SchedulerFixture {
    let folder: TemporaryFolder
    let clock = ManualClock()
    let device = ConstraintSwitchboard()
    var workers = WorkerRegistry()

    init() throws { folder = try TemporaryFolder() }

    func open(configure: (inout WorkScheduler.Configuration) -> Void = { _ in }) throws -> WorkScheduler {
        var configuration = WorkScheduler.Configuration(directory: URL(filePath: folder.path))
        configure(&configuration)
        return try WorkScheduler(configuration: configuration, workers: workers)
    }

    /// A scheduler that has been started, on a clock and a device that the test moves.
    func start(configure: (inout WorkScheduler.Configuration) -> Void = { _ in }) async throws -> WorkScheduler {
        let scheduler = try open {
            $0.clock = clock
            $0.deviceState = device
            configure(&$0)
        }
        try await scheduler.start()
        return scheduler
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
