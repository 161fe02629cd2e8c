/// An item that this process has taken to run.
package final class ClaimedWork: Sendable {
    /// As it was when it was claimed.
    package let record: WorkRecord
    /// Its queue, worker and conditions.
    package let claimGroup: ClaimGroup
    /// The outputs of the steps before, in order.
    package let previousOutputs: [String]

    /// The limits on what runs at the same time that hold for it. It may have been claimed beyond them.
    package let limits: [LimitKey]

    init(record: WorkRecord, claimGroup: ClaimGroup, previousOutputs: [String], limits: [LimitKey] = []) {
        self.record = record
        self.claimGroup = claimGroup
        self.previousOutputs = previousOutputs
        self.limits = limits
    }
}
