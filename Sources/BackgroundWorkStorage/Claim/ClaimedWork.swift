/// An item that this process has taken to run.
package final class ClaimedWork: Sendable {
    /// As it was when it was claimed.
    package let record: WorkRecord
    /// Its queue, worker and conditions.
    package let lane: Lane
    /// The outputs of the steps before, in order.
    package let previousOutputs: [String]

    init(record: WorkRecord, lane: Lane, previousOutputs: [String]) {
        self.record = record
        self.lane = lane
        self.previousOutputs = previousOutputs
    }
}
