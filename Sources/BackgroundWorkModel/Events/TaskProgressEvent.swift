/// What a worker last said of how far it is.
public struct TaskProgressEvent: Sendable, Hashable {
    /// The id of the work item.
    public let workID: String
    /// The worker's name as requested.
    public let taskName: String
    /// The chain it belongs to, if any.
    public let chainID: String?
    /// How far it is.
    public let progress: WorkerProgress

    package init(workID: String, taskName: String, chainID: String?, progress: WorkerProgress) {
        self.workID = workID
        self.taskName = taskName
        self.chainID = chainID
        self.progress = progress
    }
}
