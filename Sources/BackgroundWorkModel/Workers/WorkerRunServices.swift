/// What a running worker may ask of its scheduler.
package protocol WorkerRunServices: Sendable {
    var stopReason: StopReason? { get }
    var checkpoint: String? { get }
    func saveCheckpoint(_ json: String?) async throws
    func report(_ progress: WorkerProgress)
    /// Notes a submission for the transaction of the run's success; returns its id.
    func enqueue(_ submission: TaskSubmission) throws(EnqueueError) -> String
    func enqueue(chain: ChainSteps, id: String?, policy: ExistingWorkPolicy) throws(EnqueueError) -> String
}
