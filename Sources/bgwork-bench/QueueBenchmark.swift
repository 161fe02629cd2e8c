import BackgroundWork
import Foundation

/// How many durable no-op requests a second go through a scheduler: enqueued, run, finished, each with its event.
struct QueueBenchmark {
    var requests = 10_000
    var callers = 1_000
    var runs = 5

    func run() async throws {
        print("queue: \(requests) no-op requests, \(callers) callers in flight, \(runs) runs")
        var rates: [Double] = []
        for _ in 0..<runs {
            let rate = try await once()
            rates.append(rate)
            print("  \(Int(rate)) requests/s")
        }
        print("  median \(Int(rates.sorted()[rates.count / 2])) requests/s")
    }

    private func once() async throws -> Double {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bgwork-bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var workers = WorkerRegistry()
        try workers.register("NoOp") { _, _ in .success() }
        var configuration = WorkScheduler.Configuration(directory: folder)
        configuration.retainedEvents = requests * 2
        let scheduler = try WorkScheduler(configuration: configuration, workers: workers)
        try await scheduler.start()
        let finished = try await scheduler.events.events(for: "bench")
        let clock = ContinuousClock()
        let start = clock.now
        async let enqueued: Void = withThrowingTaskGroup(of: Void.self) { group in
            for caller in 0..<callers {
                group.addTask {
                    for index in stride(from: caller, to: requests, by: callers) {
                        try await scheduler.enqueue(
                            TaskRequest(workerClassName: "NoOp", inputJSON: #"{"n":1}"#), id: "request-\(index)")
                    }
                }
            }
            try await group.waitForAll()
        }
        var count = 0
        for await _ in finished {
            count += 1
            if count == requests { break }
        }
        try await enqueued
        let elapsed = start.duration(to: clock.now)
        await scheduler.shutdown()
        return Double(requests) / (Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18)
    }
}
