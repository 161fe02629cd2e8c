/// An item that this process has taken to run.
package struct ClaimedWork: Sendable {
    package var record: WorkRecord
    /// Its queue, worker and conditions.
    package var lane: Lane
    /// The outputs of the steps before, in order.
    package var previousOutputs: [String]
}
