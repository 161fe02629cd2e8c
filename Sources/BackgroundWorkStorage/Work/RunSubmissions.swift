import BackgroundWorkModel

/// What a run wants enqueued together with its success.
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
                // A transaction cannot wait for a rename; the new work does, and begins after it.
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
