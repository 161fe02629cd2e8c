/// One of many requests that are enqueued together.
public struct TaskSubmission: Sendable, Hashable {
    /// What to run.
    public var request: TaskRequest
    /// Names the work; made up when `nil`.
    public var id: String?
    /// When it is due.
    public var trigger: TaskTrigger
    /// What happens when unfinished work with this id is there.
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

/// What `enqueue` does when unfinished work with the same id is already there.
///
/// Work that has finished never stands in the way: under any policy the id is then used anew.
public enum ExistingWorkPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// The unfinished work ends as cancelled (each request with its event), its transfers are cancelled, and the new
    /// work takes its place, all in one transaction. While a file of the old work is being moved into place, the call
    /// waits until that has finished.
    case replace
    /// The unfinished work stays, the new one is not enqueued, and the result is ``ScheduleResult/keptExisting(id:)``.
    case keep
    /// The new work waits, durably, until the unfinished one has ended, however it ends, and then takes its place.
    /// Cancelling the id cancels what waits as well. To work that recurs nothing can be appended, since it has no end.
    case append
    /// The unfinished work goes on under the new request, from its next attempt or occurrence on: it keeps its place
    /// in the queue, its attempts, and its planned time unless the trigger is another one.
    case update
}

/// What became of an enqueued request or chain.
public enum ScheduleResult: Sendable, Hashable {
    /// It is on disk, and will run. The id is the one given, or the one that was made up for it.
    case accepted(id: String)
    /// Unfinished work with this id was there, and the policy was ``ExistingWorkPolicy/keep``.
    case keptExisting(id: String)
    /// Its deadline lies in the past; nothing was enqueued.
    case deadlineAlreadyPassed
    /// The platform takes no more work at present; nothing was enqueued.
    case throttled
    /// The platform refused it, for the reason given; nothing was enqueued.
    case rejectedBySystem(reason: String)
}
