import BackgroundWorkFoundation

/// One finished request. There is exactly one for each, written in the transaction that finishes it.
public struct TaskCompletionEvent: Sendable {
    /// Grows with every event of one directory. Gaps do not occur within what is retained.
    public package(set) var sequence: Int64
    /// The id of the work item.
    public let workID: String
    /// The worker's name as requested.
    public let taskName: String
    /// The chain it belonged to, if any.
    public let chainID: String?
    /// The step of the chain, counted from 0.
    public let stepIndex: Int
    /// Which run of recurring work this was, counted from 0; 0 for work that runs once.
    public let occurrence: Int
    /// How many attempts were made; 0 if it was never started.
    public let attempt: Int
    /// How it ended.
    public let outcome: WorkOutcome
    /// The message about it; on failure, why.
    public let message: String?
    /// The worker's output, a JSON document; ``output(as:)`` decodes it.
    public let outputJSON: String?
    /// The host's own data, stored with the request.
    public let metadata: [String: String]
    /// When its last attempt started, on the wall clock; `nil` if it was never started.
    public let startedAt: Date?
    /// When it finished, on the wall clock.
    public let finishedAt: Date
    /// How long its last attempt took, on a monotonic clock; `nil` unless the worker's return ended the request, so
    /// `nil` for an outcome after a hand-off, a cancellation, a death, and what was never started.
    public let duration: Duration?
    /// How many events this subscription missed just before this one: its buffer was full, or they were past the
    /// retention limit.
    public var missedBefore: Int64 = 0
    package var acknowledgement: (@Sendable (Int64) async throws -> Void)?

    package init(
        sequence: Int64, workID: String, taskName: String, chainID: String?, stepIndex: Int, occurrence: Int,
        attempt: Int, outcome: WorkOutcome, message: String?, outputJSON: String?, metadata: [String: String],
        startedAt: Date?, finishedAt: Date, duration: Duration? = nil
    ) {
        self.sequence = sequence
        self.workID = workID
        self.taskName = taskName
        self.chainID = chainID
        self.stepIndex = stepIndex
        self.occurrence = occurrence
        self.attempt = attempt
        self.outcome = outcome
        self.message = message
        self.outputJSON = outputJSON
        self.metadata = metadata
        self.startedAt = startedAt
        self.finishedAt = finishedAt
        self.duration = duration
    }

    /// Whether the outcome is ``WorkOutcome/succeeded``.
    public var success: Bool { outcome == .succeeded }

    /// The worker's output, decoded; `nil` if it has none.
    ///
    /// Throws ``WorkerOutputError/mismatch(type:workID:reason:)`` when there is an output that does not decode as the
    /// type.
    public func output<Output: Decodable>(as type: Output.Type) throws(WorkerOutputError) -> Output? {
        try StepOutputs.decode(type, from: outputJSON, of: workID)
    }

    /// Acknowledges this event for a durable subscription: it is not delivered to that name again.
    ///
    /// Durable when it returns. On an event of a live stream there is nothing to acknowledge and nothing happens.
    public func acknowledge() async throws { try await acknowledgement?(sequence) }
}
