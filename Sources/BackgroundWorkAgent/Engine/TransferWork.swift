#if os(Linux)
import BackgroundWorkTransfers

/// What is done for a transfer, attempt by attempt: a download or an upload. Lives on the network loop's thread.
protocol TransferWork: ExchangeOwner {
    /// Told the end of each attempt, never from inside libcurl.
    var attemptEnded: (AttemptEnd) -> Void { get set }
    /// The bytes of the file that are moved for good.
    var bytes: Int64 { get }
    var totalBytes: Int64? { get }
    /// Begins an attempt. What earlier ones have achieved is gone on from.
    func begin(_ setting: AttemptSetting) throws(TransferFailure)
    /// Ends the attempt without an outcome, and keeps what it has achieved.
    func suspend()
    /// Forgets what earlier attempts have achieved: another server is asked now.
    func startOver() throws(TransferFailure)
    /// The checksum that the whole must have, and the way to find it; `nil` when nothing is to be checked.
    var check: ChecksumCheck? { get }
    /// What must be on the disk before success is recorded.
    var filesToSync: FilesToSync { get }
}
#endif
