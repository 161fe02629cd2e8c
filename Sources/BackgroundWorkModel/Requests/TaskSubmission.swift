/// One of many requests that are enqueued together.
public struct TaskSubmission: Sendable, Hashable {
    /// What to run.
    public var request: TaskRequest
    /// Names the work; generated when `nil`.
    public var id: String?
    /// When it is due.
    public var trigger: TaskTrigger
    /// What happens when unfinished work with this id exists.
    public var policy: ExistingWorkPolicy

    /// Creates a submission.
    public init(
        _ request: TaskRequest, id: String? = nil, trigger: TaskTrigger = .oneTime(),
        policy: ExistingWorkPolicy = .replace
    ) {
        self.request = request
        self.id = id
        self.trigger = trigger
        self.policy = policy
    }
}

/// What `enqueue` does when unfinished work with the same id exists.
///
/// Finished work never prevents an enqueue: under any policy the id is used again.
public enum ExistingWorkPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// The unfinished work ends as cancelled (each request with its event), its transfers are cancelled, and the new
    /// work is stored instead, all in one transaction. While a file of the old work is being moved into place, the
    /// call waits until that has finished.
    case replace
    /// The unfinished work stays, the new one is not enqueued, and the result is ``ScheduleResult/keptExisting(id:)``.
    case keep
    /// The new work waits, durably, until the unfinished one has ended, however it ends, and then takes the id.
    /// Cancelling the id cancels the appended work as well. Nothing can be appended to recurring work, since it has
    /// no end.
    case append
    /// The unfinished work continues with the new request, from its next attempt or occurrence on: it keeps its
    /// position in the queue, its attempts, and its planned time unless the trigger is another one.
    case update
}

/// The result of enqueueing a request or chain.
public enum ScheduleResult: Sendable, Hashable {
    /// It is on disk, and will run. The id is the given one, or the generated one.
    case accepted(id: String)
    /// Unfinished work with this id existed, and the policy was ``ExistingWorkPolicy/keep``.
    case keptExisting(id: String)
    /// Its deadline is in the past; nothing was enqueued.
    case deadlineAlreadyPassed
    /// The platform accepts no more work at present; nothing was enqueued.
    case throttled
    /// The worker refuses the input of the request, or of one of the requests that were enqueued together, for the given
    /// reason; nothing was enqueued.
    case rejectedBySystem(reason: String)
}
