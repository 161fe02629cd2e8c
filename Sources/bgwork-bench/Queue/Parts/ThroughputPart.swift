import BackgroundWork
import Foundation

/// Requests from their enqueueing to their events, by a number of callers at the same time.
///
/// The events are read by a durable subscriber, as a live one may miss some of them. It acknowledges those of rich
/// requests only, in their order, and with at most `window` acknowledgements in flight: one at a time would be one
/// commit each.
struct ThroughputPart {
    private let queue: NoOpQueue
    private let requests: Int
    private let callers: Int
    private let isRich: Bool
    private let window: Int

    init(_ options: PartOptions) {
        requests = options.number("requests", default: 10_000)
        callers = options.number("callers", default: 1000)
        isRich = options.isSet("rich")
        window = options.number("window", default: 256)
        queue = NoOpQueue(directory: options.directory, retainedEvents: requests * 2, isLimited: isRich)
    }

    func measure() async throws -> [String: Double] {
        let scheduler = try await queue.started()
        let events = try await scheduler.eventBus.events(for: "bench")
        let meter = Meter()
        async let enqueued: Void = NoOpQueue.enqueue(
            isRich ? NoOpQueue.rich : NoOpQueue.plain, count: requests, callers: callers, on: scheduler)
        if isRich { try await acknowledge(events) } else { try await NoOpQueue.count(events, upTo: requests) }
        try await enqueued
        let figures = meter.figures(jobs: requests)
        await scheduler.shutdown()
        return figures
    }

    private func acknowledge(_ events: AsyncStream<TaskCompletionEvent>) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var count = 0
            for await event in events {
                if count >= window { try await group.next() }
                group.addTask { try await event.acknowledge() }
                count += 1
                if count == requests { break }
            }
            try await group.waitForAll()
        }
    }
}
