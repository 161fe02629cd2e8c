import BackgroundWork
import Foundation
import Synchronization
import TestSupport

/// Many chains at once: `chains DIRECTORY COUNT LENGTH STEPS`. Each step leaves a line in steps.log; the process ends
/// when the event of every step is there. After so many STEPS of its own the next ones wait to be killed.
enum ChainsHost {
    static func run(_ arguments: [String]) async throws -> Never {
        guard arguments.count == 4, let count = Int(arguments[1]), let length = Int(arguments[2]),
            let limit = Int(arguments[3])
        else { exit(64) }
        let begun = Atomic(0)
        let log = try LineLog(arguments[0] + "/steps.log")
        var workers = WorkerRegistry()
        try workers.register("Step") { _, context in
            try log.append(context.workID)
            if begun.add(1, ordering: .relaxed).newValue >= limit { try await Task.sleep(for: .seconds(86_400)) }
            await Task.yield()
            return .success()
        }
        var configuration = WorkScheduler.Configuration(directory: URL(filePath: arguments[0]))
        configuration.maximumConcurrentWork = 16
        configuration.retainedEvents = 2 * count * length
        let scheduler = try WorkScheduler(configuration: configuration, workers: workers)
        let events = try await scheduler.eventBus.events(for: "host")
        try await scheduler.start()
        let step = TaskRequest(workerClassName: "Step")
        // All at once, so that they share transactions and run side by side from the start.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask { try await enqueue(length, steps: step, as: "chain-\(number)", in: scheduler) }
            }
            try await group.waitForAll()
        }
        // Nothing is acknowledged, so each process sees them all.
        var finished: Set<String> = []
        for await event in events {
            finished.insert(event.workID)
            if finished.count == count * length { break }
        }
        await scheduler.shutdown()
        exit(0)
    }

    private static func enqueue(
        _ length: Int, steps step: TaskRequest, as id: String, in scheduler: WorkScheduler
    ) async throws {
        guard try await scheduler.infos(chainID: id).isEmpty else { return }
        var chain = scheduler.beginWith(step)
        for _ in 1..<length { chain = chain.then(step) }
        try await chain.enqueue(id: id)
    }
}
