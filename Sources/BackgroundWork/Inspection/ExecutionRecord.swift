import BackgroundWorkFoundation
import BackgroundWorkModel

/// One finished request, or one finished occurrence of it, as the history keeps it.
public struct ExecutionRecord: Sendable, Hashable {
    /// Its position in the history; grows with time.
    public let sequence: Int64
    /// The item's id.
    public let workID: String
    /// The worker's name as requested.
    public let taskName: String
    /// The chain it belonged to, if any.
    public let chainID: String?
    /// The step of the chain, counted from 0.
    public let stepIndex: Int
    /// Which occurrence of recurring work, counted from 0.
    public let occurrence: Int
    /// How many attempts were made; 0 if it was never started.
    public let attempt: Int
    /// How it ended.
    public let outcome: WorkOutcome
    /// The message about its end.
    public let message: String?
    /// The host's own data, stored with the item.
    public let metadata: [String: String]
    /// When the last attempt started; `nil` if there was none.
    public let startedAt: Date?
    /// When it finished.
    public let finishedAt: Date

    init(_ event: TaskCompletionEvent) {
        sequence = event.sequence
        workID = event.workID
        taskName = event.taskName
        chainID = event.chainID
        stepIndex = event.stepIndex
        occurrence = event.occurrence
        attempt = event.attempt
        outcome = event.outcome
        message = event.message
        metadata = event.metadata
        startedAt = event.startedAt
        finishedAt = event.finishedAt
    }
}
