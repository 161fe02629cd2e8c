/// The limits beside the number of slots.
package struct WorkLimits: Sendable, Hashable {
    /// By the worker's name as requested.
    package var workers: [String: Int]
    package var queues: [String: QueueLimits]
    /// The only workers whose work may run, by name as requested; `nil`: all.
    package var onlyWorkers: Set<String>?

    package init(
        workers: [String: Int] = [:], queues: [String: QueueLimits] = [:], onlyWorkers: Set<String>? = nil
    ) {
        self.onlyWorkers = onlyWorkers
        self.workers = workers
        self.queues = queues
    }

    /// Whether what runs has to be counted at all.
    package var countRunning: Bool { !workers.isEmpty || queues.values.contains { $0.maximumConcurrent != nil } }
}
