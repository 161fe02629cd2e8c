/// An item that this process has taken to run.
package struct ClaimedWork: Sendable {
    package var record: WorkRecord
    /// The outputs of the step before, in order.
    package var previousOutputs: [String]
}
