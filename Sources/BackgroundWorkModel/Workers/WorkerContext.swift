import BackgroundWorkFoundation

/// The context of a worker's run, and its access to the scheduler.
public struct WorkerContext: Sendable {
    /// The id of the work item: the request's own, or `<chain>/<step>.<index>`.
    public let workID: String
    /// The chain it belongs to, if any.
    public let chainID: String?
    /// The step of the chain, counted from 0; 0 for work outside of a chain.
    public let stepIndex: Int
    /// Which run of recurring work this is, counted from 0; 0 for work that runs once.
    public let occurrence: Int
    /// Which attempt this is, counted from 1. A stop, a snooze and the end of the process do not count.
    public let runAttempt: Int
    /// The `outputJSON` of each request of the previous step, in their order, as JSON text; requests without one are
    /// left out. ``output(of:)`` and ``outputs(ofStep:as:)`` return values, of earlier steps as well.
    public let previousOutputs: [String]
    /// The host's own data, stored with the request.
    public let metadata: [String: String]
    /// After this instant the work is no longer useful; `nil` if it has no deadline.
    public let deadline: Date?
    /// Names this run's hand-off; see ``WorkerResult/handedOff(_:message:expiresAfter:)``.
    public var handOffToken: HandOffToken { HandOffToken(key) }
    private let key: TransferKey
    let services: any WorkerRunServices

    package init(
        workID: String, chainID: String?, stepIndex: Int, occurrence: Int, runAttempt: Int,
        previousOutputs: [String], metadata: [String: String], deadline: Date?, key: TransferKey,
        services: any WorkerRunServices
    ) {
        self.workID = workID
        self.chainID = chainID
        self.stepIndex = stepIndex
        self.occurrence = occurrence
        self.runAttempt = runAttempt
        self.previousOutputs = previousOutputs
        self.metadata = metadata
        self.deadline = deadline
        self.key = key
        self.services = services
    }

    /// Why the task was cancelled; `nil` while the work may continue.
    public var stopReason: StopReason? { services.stopReason }

    /// The checkpoint that an earlier attempt, or this one, has stored with ``saveCheckpoint(_:)``.
    public var checkpoint: String? { services.checkpoint }

    /// Stores a JSON document for the next attempt, however this one ends. Durable when it returns; `nil` removes it.
    /// It is deleted once the work, or its occurrence, has finished.
    ///
    /// Throws ``CheckpointError`` when it is not JSON or larger than 10 MB, or when the run is no longer the current
    /// one, and the database's error when it could not be written; the previous checkpoint is kept then.
    public func saveCheckpoint(_ json: String?) async throws { try await services.saveCheckpoint(json) }

    /// Reports the progress. Never waits: reports are passed on at most four times a second, and a newer one replaces
    /// an older one.
    public func report(_ progress: WorkerProgress) { services.report(progress) }

    /// Enqueues a request in the same transaction that stores this run's success: both happen, or neither. After any
    /// other ending, a retry for example, nothing is enqueued, so work that runs again does not enqueue it twice.
    ///
    /// Returns the id, generated if none was given. Throws ``EnqueueError`` at once for a request that cannot be
    /// accepted. An id that turns out to be used by other work fails this run, with a message that says so.
    @discardableResult
    public func enqueue(
        _ request: TaskRequest, id: String? = nil, trigger: TaskTrigger = .oneTime(),
        policy: ExistingWorkPolicy = .replace
    ) throws -> String {
        try services.enqueue(TaskSubmission(request, id: id, trigger: trigger, policy: policy))
    }

    /// Enqueues a chain, step by step, in the same transaction that stores this run's success; otherwise as
    /// ``enqueue(_:id:trigger:policy:)``.
    @discardableResult
    public func enqueueChain(
        _ steps: [[TaskRequest]], id: String? = nil, policy: ExistingWorkPolicy = .replace
    ) throws -> String {
        try services.enqueue(chain: ChainSteps(steps), id: id, policy: policy)
    }
}

/// Why a running worker was asked to stop.
public enum StopReason: String, Sendable, Hashable {
    /// The work was cancelled or replaced; its result will be ignored.
    case cancelled
    /// The scheduler shuts down; the work goes back to the queue and no attempt is counted.
    case shutdown
    /// A condition that the request needs was lost; the work waits for it again and no attempt is counted.
    case constraintLost
    /// The system, or the user in the system's interface, has ended the time of work that a user had started. It goes
    /// back to the queue for 10 seconds at least, and no attempt is counted.
    case expired
    /// The run took longer than the request's ``TaskRequest/timeout``; the attempt counts.
    case timeout
    /// The request's deadline has passed; it ends as failed.
    case deadline
}

/// A checkpoint could not be stored. The previous one is kept.
public enum CheckpointError: Error, Hashable, CustomStringConvertible {
    /// It is not a JSON document.
    case malformed(workID: String, reason: String)
    /// It is larger than the limit; both in bytes.
    case tooLarge(workID: String, bytes: Int, limit: Int)
    /// The run is no longer the current one: it was cancelled, replaced, or taken back.
    case runIsOver(workID: String)

    /// What is wrong, with which work, and what to do.
    public var description: String {
        switch self {
        case .malformed(let workID, let reason): "The checkpoint of \"\(workID)\" is not valid JSON: \(reason)."
        case .tooLarge(let workID, let bytes, let limit):
            "The checkpoint of \"\(workID)\" has \(bytes) bytes; the limit is \(limit). Store it in a file and its path here."
        case .runIsOver(let workID):
            "\"\(workID)\" no longer belongs to this run: it was cancelled, replaced or taken back. Return from doWork."
        }
    }
}

extension CheckpointError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}

/// The services that a scheduler offers to a running worker.
package protocol WorkerRunServices: Sendable {
    var stopReason: StopReason? { get }
    var checkpoint: String? { get }
    func saveCheckpoint(_ json: String?) async throws
    func report(_ progress: WorkerProgress)
    /// The outputs of the steps that a step waits for, in their order. None outside of a chain.
    func outputs(beforeStep step: Int) async throws -> [StepOutputs]
    /// The outputs of one step; `nil` if it does not come before that of the run.
    func outputs(ofStep step: Int) async throws -> StepOutputs?
    /// Records a submission for the transaction of the run's success; returns its id.
    func enqueue(_ submission: TaskSubmission) throws(EnqueueError) -> String
    func enqueue(chain: ChainSteps, id: String?, policy: ExistingWorkPolicy) throws(EnqueueError) -> String
}
