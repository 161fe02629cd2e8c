/// What a running worker may ask of its scheduler.
package protocol WorkerRunServices: Sendable {
    var stopReason: StopReason? { get }
    var checkpoint: String? { get }
    func saveCheckpoint(_ json: String?) async throws
    func report(_ progress: WorkerProgress)
    /// The outputs of the steps that a step waits for, in their order. None outside of a chain.
    func outputs(beforeStep step: Int) async throws -> [StepOutputs]
    /// The outputs of one step; `nil` if it does not come before that of the run.
    func outputs(ofStep step: Int) async throws -> StepOutputs?
    /// Notes a submission for the transaction of the run's success; returns its id.
    func enqueue(_ submission: TaskSubmission) throws(EnqueueError) -> String
    func enqueue(chain: ChainSteps, id: String?, policy: ExistingWorkPolicy) throws(EnqueueError) -> String
}
