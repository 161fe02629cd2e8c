/// The newest progress report of a worker.
public struct TaskProgressEvent: Sendable, Hashable {
    /// The id of the work item.
    public let workID: String
    /// The worker's name as requested.
    public let taskName: String
    /// The chain it belongs to, if any.
    public let chainID: String?
    /// The progress.
    public let progress: WorkerProgress

    package init(workID: String, taskName: String, chainID: String?, progress: WorkerProgress) {
        self.workID = workID
        self.taskName = taskName
        self.chainID = chainID
        self.progress = progress
    }
}

/// The progress of a worker.
public struct WorkerProgress: Sendable, Hashable, Codable {
    /// From 0 to 1; `nil` when the total is not known.
    public var fraction: Double?
    /// What it is doing, for people.
    public var message: String?
    /// Additional data for the host, a JSON document.
    public var detailJSON: String?

    /// Creates a report. A fraction outside of 0 to 1 is replaced by the nearer bound.
    public init(fraction: Double? = nil, message: String? = nil, detailJSON: String? = nil) {
        self.fraction = fraction.map { $0.isNaN ? 0 : min(max($0, 0), 1) }
        self.message = message
        self.detailJSON = detailJSON
    }
}
