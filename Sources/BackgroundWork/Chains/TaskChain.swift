import BackgroundWorkModel

/// Steps of work, one after the other; the requests within a step run in parallel.
///
/// A chain is a value: `then` returns a longer one, so a prefix can be kept and continued in several ways. A step
/// starts when every request of the one before has succeeded, and finds their outputs in
/// ``WorkerContext/previousOutputs``. When one fails, the steps after it fail with it; when one is cancelled, they are
/// cancelled.
///
/// ```swift
/// try await scheduler.beginWith(TaskRequest(workerClassName: "BackgroundDownloadWorker", inputJSON: json))
///     .then(TaskRequest(workerClassName: "IndexWorker"))
///     .enqueue(id: "raw-42", policy: .keep)
/// ```
public struct TaskChain: Sendable {
    private let scheduler: WorkScheduler
    private var steps: [[TaskRequest]]

    init(scheduler: WorkScheduler, first: [TaskRequest]) {
        self.scheduler = scheduler
        steps = [first]
    }

    /// The chain with one more step of one request.
    public func then(_ request: TaskRequest) -> TaskChain { then([request]) }

    /// The chain with one more step, whose requests run in parallel.
    public func then(_ requests: [TaskRequest]) -> TaskChain {
        var longer = self
        longer.steps.append(requests)
        return longer
    }

    /// Stores the whole chain in one transaction. Durable when it returns.
    ///
    /// A member's id is `<id>/<step>.<index>`, both counted from 0. Throws ``EnqueueError`` for what cannot be
    /// accepted and the database's error when it could not be written; nothing was stored then.
    ///
    /// - Parameter id: the chain's id; made up when left out.
    @discardableResult
    public func enqueue(id: String? = nil, policy: ExistingWorkPolicy = .replace) async throws -> ScheduleResult {
        try await scheduler.enqueue(ChainSteps(steps), id: id, policy: policy)
    }
}
