import BackgroundWork

/// What one awaited enqueue costs on two queues that are open side by side, in turns, so that noise hits both.
struct EnqueueCost {
    var small: ScaleQueue
    var large: ScaleQueue
    var samples = 400

    func measure() async throws -> ScaleRow {
        let schedulers = [try small.scheduler(), try large.scheduler()]
        for scheduler in schedulers { try await scheduler.start() }
        var times: [[Double]] = [[], []]
        for _ in 0..<samples {
            for (index, scheduler) in schedulers.enumerated() {
                times[index].append(
                    try await milliseconds {
                        try await scheduler.enqueue(ScaleQueue.request, trigger: ScaleQueue.later)
                    })
            }
        }
        for scheduler in schedulers { await scheduler.shutdown() }
        return .ratio("one awaited enqueue", small: times[0].median, large: times[1].median, limit: 1.5)
    }
}
