import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers

/// What is known of one work item at one moment.
public struct WorkInfo: Sendable, Hashable {
    /// The item's id.
    public let id: String
    /// The chain it belongs to, if any.
    public let chainID: String?
    /// The step of the chain, counted from 0.
    public let stepIndex: Int
    /// The worker's name as requested.
    public let workerClassName: String
    /// Its state.
    public let state: WorkState
    /// How many attempts of the current occurrence were started.
    public let runAttempt: Int
    /// Which occurrence of recurring work this is, counted from 0.
    public let occurrence: Int
    /// How urgent it is.
    public let priority: WorkPriority
    /// The queue it is in.
    public let queue: String
    /// The device conditions that it needs.
    public let constraints: Constraints
    /// Its labels.
    public let tags: Set<String>
    /// The host's own data, stored with the item.
    public let metadata: [String: String]
    /// How often it recurs, or when it is due; `nil` for work that runs once after a delay.
    public let trigger: TaskTrigger?
    /// The last message about it: why it is retried, how it ended.
    public let message: String?
    /// Its output, a JSON document: once it has succeeded, or of its last occurrence. ``output(as:)`` decodes it.
    public let outputJSON: String?
    /// The progress of the newest attempt: the last report of its worker, or, for work that was handed off, what the
    /// daemon reports of its transfer, if this process is connected to the daemon.
    public let progress: WorkerProgress?
    /// The checkpoint that the next attempt will get; `nil` for what a transfer keeps in its place.
    public let checkpoint: String?
    /// When it is due, while it is pending; `nil` while only a change of its file makes it due.
    public let due: Date?
    /// When it was enqueued.
    public let enqueuedAt: Date
    /// When the newest attempt started.
    public let startedAt: Date?
    /// When it finished.
    public let finishedAt: Date?
    /// Its position among all items; for ``WorkQuery/after``.
    public let cursor: Int64

    /// Its output, decoded; `nil` if it has none.
    ///
    /// Throws ``WorkerOutputError/mismatch(type:workID:reason:)`` when there is an output that does not decode as the
    /// type.
    public func output<Output: Decodable>(as type: Output.Type) throws(WorkerOutputError) -> Output? {
        try StepOutputs.decode(type, from: outputJSON, of: id)
    }

    init(_ record: WorkRecord, _ claimGroup: ClaimGroup, _ board: TransferProgressPublisher?) {
        id = record.id
        chainID = record.chainID
        stepIndex = record.stepIndex
        workerClassName = record.workerName
        state = record.status.state
        runAttempt = record.status.attempt
        occurrence = record.occurrence
        priority = record.priority
        queue = claimGroup.queue
        constraints = claimGroup.constraints
        tags = record.options.tags ?? []
        metadata = record.options.metadata ?? [:]
        trigger = record.trigger
        message = record.message
        outputJSON = record.outputJSON
        let isHandedOff = record.status.state == .handedOff || record.status.state == .finishing
        progress =
            isHandedOff
            ? board?.reports(of: [record.id])[record.id].map { WorkerProgress($0) } ?? record.progress : record.progress
        // Where a download can be continued says with which secrets.
        checkpoint = BackgroundDownloadWorker.names.contains(record.workerName) ? nil : record.checkpoint
        due = record.status.state == .pending && record.due != .distantFuture ? record.due.date : nil
        enqueuedAt = record.enqueuedAt.date
        startedAt = record.startedAt?.date
        finishedAt = record.finishedAt?.date
        cursor = record.sequence
    }
}
