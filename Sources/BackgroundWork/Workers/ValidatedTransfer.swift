import BackgroundWorkModel
import BackgroundWorkTransfers

/// A transfer whose input has been checked and completed, as far as that is possible without access to the disk.
struct ValidatedTransfer: Sendable, Hashable {
    var url: String
    /// The path that a download writes to, or that an upload reads.
    var path: String
    var sessionIdentifier: String
    var options: TransferOptions
}
