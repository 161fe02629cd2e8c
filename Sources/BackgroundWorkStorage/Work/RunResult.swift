import BackgroundWorkModel
import Synchronization

/// The result of a run, to be stored.
package final class RunResult: Sendable {
    package let work: ClaimedWork
    package let owner: Int64
    package let ending: RunEnding
    /// The requests that are enqueued together with its success.
    package let submissions: RunSubmissions
    /// How long it took, on a monotonic clock.
    package let duration: Duration
    package let now: WallTime
    /// Numbers from 0 to 1, for the jitter of a retry; called only then.
    package let random: @Sendable () -> Double
    /// The cell in which its start is recorded.
    package let cell: Int?
    private let failures = Atomic(0)

    package init(
        work: ClaimedWork, owner: Int64, ending: RunEnding, submissions: RunSubmissions, duration: Duration,
        now: WallTime, random: @escaping @Sendable () -> Double, cell: Int? = nil
    ) {
        self.work = work
        self.owner = owner
        self.ending = ending
        self.submissions = submissions
        self.duration = duration
        self.now = now
        self.random = random
        self.cell = cell
    }

    /// Counts a failure to store it. Returns how many there have been.
    package func noteFailure() -> Int { failures.add(1, ordering: .relaxed).newValue }
}

/// How a worker's run ended, once its result was checked.
package enum RunEnding: Sendable {
    case finished(WorkOutcome, message: String?, outputJSON: String?)
    case retry(reason: String, after: Duration?, attemptCap: Int?)
    case snooze(Duration, reason: String?)
    case handedOff(message: String?, expiresAfter: Duration?)
    /// It was asked to stop, and did.
    case stopped(message: String?)

    package static func failed(_ message: String) -> RunEnding {
        .finished(.failed, message: message, outputJSON: nil)
    }

    /// Whether this run, or an earlier one in the same generation, may have started to hand a transfer off. One that
    /// has finished at its first attempt without an error has not.
    func mayHaveBegunHandOff(_ record: WorkRecord) -> Bool {
        if case .retry = self { return true }
        let status = record.status
        return status.deaths > 0 || status.exits > 0 || status.attempt > 1
    }

    /// The change of its item.
    func change(
        of record: WorkRecord, now: WallTime, random: () -> Double
    ) -> (WorkChange, WorkTransaction.Details) {
        switch self {
        case .finished(let outcome, let message, let outputJSON):
            return (.workerFinished(outcome), .init(message: message, outputJSON: outputJSON))
        case .handedOff(let message, let expiresAfter):
            return (
                .workerHandedOff,
                .init(message: message, handOffExpires: expiresAfter.map { now.advanced(byMs: $0.milliseconds) })
            )
        case .stopped(let message): return (.stopped, .init(message: message, due: record.due))
        case .snooze(let duration, let reason):
            return (
                .workerSnoozes, .init(message: reason, due: now.advanced(byMs: max(0, duration.milliseconds)))
            )
        case .retry(let reason, let after, let attemptCap):
            let decision = RetryDecision(
                reason: reason, attempt: record.status.attempt, policy: record.retryPolicy, after: after,
                attemptCap: attemptCap, random: random())
            switch decision {
            case .again(let delayMs):
                return (.workerRetries, .init(message: reason, due: now.advanced(byMs: delayMs)))
            case .exhausted(let message): return (.workerFinished(.failed), .init(message: message))
            }
        }
    }
}

/// The requests that a run enqueues together with its success.
package struct RunSubmissions: Sendable {
    private enum Submission: Sendable {
        case single(TaskSubmission, id: String)
        case chain(ChainSteps, id: String, policy: ExistingWorkPolicy)
    }

    private var submissions: [Submission] = []

    package init() {}

    package var isEmpty: Bool { submissions.isEmpty }

    package mutating func add(_ submission: TaskSubmission, id: String) {
        submissions.append(.single(submission, id: id))
    }

    package mutating func add(_ chain: ChainSteps, id: String, policy: ExistingWorkPolicy) {
        submissions.append(.chain(chain, id: id, policy: policy))
    }

    /// Enqueues them in order. Throws `EnqueueError` when an id belongs to other work.
    func enqueue(in transaction: WorkTransaction, now: WallTime) throws {
        for submission in submissions {
            switch submission {
            case .single(var submission, let id):
                guard case .mustWait = try transaction.enqueue(submission, id: id, now: now) else { continue }
                // A transaction cannot wait for a rename; the new work does, and starts after it.
                submission.policy = .append
                _ = try transaction.enqueue(submission, id: id, now: now)
            case .chain(let chain, let id, let policy):
                guard case .mustWait = try transaction.enqueue(chain, id: id, policy: policy, now: now) else {
                    continue
                }
                _ = try transaction.enqueue(chain, id: id, policy: .append, now: now)
            }
        }
    }
}
