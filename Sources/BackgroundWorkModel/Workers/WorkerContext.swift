/// What a worker learns of the run it is in.
public struct WorkerContext: Sendable {
    /// The id of the work item: the request's own, or `<chain>/<step>.<index>`.
    public let workID: String
    /// The chain it belongs to, if any.
    public let chainID: String?
    /// The step of the chain, counted from 0; 0 for work outside of a chain.
    public let stepIndex: Int
    /// Which attempt this is, counted from 1. A stop and the death of the process do not count.
    public let runAttempt: Int
    /// The `outputJSON` of each request of the step before, in their order; those that gave none are left out.
    public let previousOutputs: [String]
    /// Names this run's hand-off; see ``WorkerResult/handedOff(_:message:)``.
    public let handOffToken: HandOffToken
    private let readStopReason: @Sendable () -> StopReason?

    package init(
        workID: String, chainID: String?, stepIndex: Int, runAttempt: Int, previousOutputs: [String],
        handOffToken: HandOffToken, stopReason: @escaping @Sendable () -> StopReason?
    ) {
        self.workID = workID
        self.chainID = chainID
        self.stepIndex = stepIndex
        self.runAttempt = runAttempt
        self.previousOutputs = previousOutputs
        self.handOffToken = handOffToken
        readStopReason = stopReason
    }

    /// Why the task was cancelled; `nil` while the work may go on.
    public var stopReason: StopReason? { readStopReason() }
}
