import BackgroundWorkModel

/// How much more each lane may take in one claim.
struct ClaimQuota {
    private var workers: [String: Int]
    private var queues: [String: Int]
    private var rates: [String: Int]

    /// - Parameters:
    ///   - running: how many items of each lane run, in all processes.
    ///   - rates: how many more may start now in each queue with a rate limit.
    init(limits: WorkLimits, running: [(lane: Lane, count: Int)], rates: [String: Int]) {
        workers = limits.workers
        queues = limits.queues.compactMapValues(\.maximumConcurrent)
        self.rates = rates
        for (lane, count) in running {
            workers[lane.worker]? -= count
            queues[lane.queue]? -= count
        }
    }

    /// How many more items of the lane may be taken.
    func left(_ lane: Lane) -> Int {
        max(0, min(workers[lane.worker] ?? .max, queues[lane.queue] ?? .max, rates[lane.queue] ?? .max))
    }

    /// Whether it is a number of running items, rather than a rate, that holds the lane back.
    func isFull(_ lane: Lane) -> Bool { min(workers[lane.worker] ?? 1, queues[lane.queue] ?? 1) <= 0 }

    mutating func take(_ lane: Lane) {
        workers[lane.worker]? -= 1
        queues[lane.queue]? -= 1
        rates[lane.queue]? -= 1
    }
}
