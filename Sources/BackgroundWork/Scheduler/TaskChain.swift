import BackgroundWorkModel

/// Steps of work, one after the other; the requests within a step run in parallel.
///
/// A chain is a value: `then` returns a longer one, so a prefix can be kept and continued in several ways. A step
/// starts when every request of the previous step has succeeded, and reads their outputs with
/// ``WorkerContext/output(of:)``. When one fails, the steps after it fail with it; when one is cancelled, they are
/// cancelled; when one is skipped, they are skipped.
///
/// ```swift
/// let download = DownloadConfiguration(url: "https://example.com/raw", savePath: "/home/me/raw")
/// try await scheduler.beginWith(TaskRequest(BackgroundDownloadWorker.self, input: download))
///     .then(TaskRequest(IndexWorker.self))
///     .enqueue(id: "raw-42", policy: .keep)
/// ```
public struct TaskChain: Sendable {
    private let scheduler: WorkScheduler
    private var steps: ChainSteps
    private var isOfOneScheduler = true

    init(scheduler: WorkScheduler, first: [TaskRequest]) {
        self.scheduler = scheduler
        steps = ChainSteps([first])
    }

    /// Several chains in parallel: each runs independently, and the next step added by `then` waits for the ends of
    /// all, and reads the outputs of their last steps. A failure ends what comes after it, in its own branch and
    /// after the join; the other branches continue.
    ///
    /// The steps are numbered consecutively, branch after branch. Without any chain there is nothing to join, so the
    /// result is `nil`. Chains of different schedulers are rejected when the result is enqueued.
    public static func combine(_ chains: [TaskChain]) -> TaskChain? {
        guard var joined = chains.first else { return nil }
        joined.steps = ChainSteps.combined(chains.map(\.steps))
        joined.isOfOneScheduler = chains.allSatisfy { $0.isOfOneScheduler && $0.scheduler === chains[0].scheduler }
        return joined
    }

    /// The chain with one more step of one request.
    public consuming func then(_ request: TaskRequest) -> TaskChain { then([request]) }

    /// The chain with one more step, whose requests run in parallel.
    public consuming func then(_ requests: [TaskRequest]) -> TaskChain {
        // Consumed, so that a chain that grows in a loop is not copied for each of its steps.
        steps.append(requests)
        return self
    }

    /// Stores the whole chain in one transaction. Durable when it returns.
    ///
    /// A member's id is `<id>/<step>.<index>`, both counted from 0. Throws ``EnqueueError`` for a chain that cannot
    /// be accepted and the database's error when it could not be written; nothing was stored then. Nor is anything when
    /// the worker of a member refuses its input: the result is ``ScheduleResult/rejectedBySystem(reason:)`` then.
    ///
    /// - Parameter id: the chain's id; generated when left out.
    @discardableResult
    public func enqueue(id: String? = nil, policy: ExistingWorkPolicy = .replace) async throws -> ScheduleResult {
        guard isOfOneScheduler else { throw EnqueueError.chainsOfDifferentSchedulers }
        return try await scheduler.enqueue(steps, id: id, policy: policy)
    }
}
