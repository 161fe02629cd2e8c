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
