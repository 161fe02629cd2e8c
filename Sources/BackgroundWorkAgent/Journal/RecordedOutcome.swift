import BackgroundWorkModel
import BackgroundWorkTransfers

/// A transfer's outcome as the journal has it. Its JSON is made once: it is what clients are sent.
struct RecordedOutcome: Sendable, Hashable {
    var task: Int64
    /// The work store whose transfer it was.
    var store: String
    var json: String

    init(_ outcome: TransferOutcome) throws {
        task = outcome.taskIdentifier
        store = outcome.reference.store
        json = try JSONCoding.text(of: outcome)
    }
}
