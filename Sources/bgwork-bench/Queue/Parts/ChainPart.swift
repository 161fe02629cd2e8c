import BackgroundWork
import Foundation

/// A chain of no-ops from its enqueueing to its last event, with the commits that it took.
struct ChainPart {
    private let queue: NoOpQueue
    /// How many requests each step has.
    private let steps: [Int]
    /// How many such chains run one after the other.
    private let repeats: Int

    /// One step after the other, of one request each.
    static func steps(_ options: PartOptions) -> ChainPart {
        let steps = [Int](repeating: 1, count: options.number("items", default: 1000))
        return ChainPart(options, steps: steps, repeats: options.number("repeats", default: 1))
    }

    /// One step of many requests, and a last one.
    static func parallel(_ options: PartOptions) -> ChainPart {
        let steps = [options.number("items", default: 1000), 1]
        return ChainPart(options, steps: steps, repeats: options.number("repeats", default: 5))
    }

    private init(_ options: PartOptions, steps: [Int], repeats: Int) {
        queue = NoOpQueue(directory: options.directory)
        self.steps = steps
        self.repeats = repeats
    }

    func measure() async throws -> [String: Double] {
        CommitWatch.begin()
        let scheduler = try await queue.started()
        let items = steps.reduce(0, +) * repeats
        let before = CommitWatch.count
        let meter = Meter()
        for number in 0..<repeats {
            // Fewer events than a live subscription holds, so none is missed.
            let events = scheduler.eventBus.events
            try await chain(on: scheduler).enqueue(id: "chain-\(number)")
            try await NoOpQueue.count(events, upTo: items / repeats)
        }
        var figures = meter.figures(jobs: items)
        // Less the one in which each chain was enqueued.
        let commits = CommitWatch.count - before - repeats
        figures["commits"] = CommitWatch.isWorking ? Double(commits) / Double(items) : nil
        await scheduler.shutdown()
        return figures
    }

    private func chain(on scheduler: WorkScheduler) -> TaskChain {
        let requests = steps.map { [TaskRequest](repeating: NoOpQueue.plain, count: $0) }
        var chain = scheduler.beginWith(requests[0])
        for step in requests.dropFirst() { chain = chain.then(step) }
        return chain
    }
}
