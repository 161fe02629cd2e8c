import BackgroundWorkTransfers

/// A transfer whose input has been checked and completed, as far as that can be done without looking at the disk.
struct ValidatedTransfer: Sendable, Hashable {
    var url: String
    /// Where a download goes to, or what an upload sends.
    var path: String
    var sessionIdentifier: String
    var options: TransferOptions
}
