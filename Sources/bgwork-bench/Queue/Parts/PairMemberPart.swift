import BackgroundWork
import Foundation

/// One of the two processes of ``PairPart``: enqueues its half, and is done when it has seen the events of both.
struct PairMemberPart {
    private let queue: NoOpQueue
    private let name: String
    private let requests: Int
    private let callers: Int

    init(_ options: PartOptions) {
        requests = options.number("requests", default: 10_000)
        callers = options.number("callers", default: 1000)
        name = options.text("name", default: "only")
        queue = NoOpQueue(directory: options.directory, retainedEvents: requests * 2)
    }

    func measure() async throws -> [String: Double] {
        let scheduler = try await queue.started()
        let events = try await scheduler.eventBus.events(for: name)
        try await StartGate(directory: queue.directory).pass(as: name)
        let meter = Meter()
        async let enqueued: Void = NoOpQueue.enqueue(
            NoOpQueue.plain, count: requests / 2, callers: callers / 2, prefix: name, on: scheduler)
        try await NoOpQueue.count(events, upTo: requests)
        try await enqueued
        let figures = meter.figures(jobs: requests)
        await scheduler.shutdown()
        return figures
    }
}
