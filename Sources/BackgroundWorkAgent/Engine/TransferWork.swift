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

/// Where an attempt turns to, and as whom.
struct AttemptSetting {
    let address: String
    /// The parts of the address.
    let url: TransferURL
    /// A token that was fetched for it; takes the place of the client's own authorization.
    let token: String?

    /// - Parameter url: the parts of the address, where they are known.
    init(address: String, url: TransferURL? = nil, token: String? = nil) {
        self.address = address
        self.url = url ?? TransferURL(address)
        self.token = token
    }
}

/// How an attempt ended.
enum AttemptEnd {
    /// Everything has been moved. What has to be synced or checked is not yet.
    case complete(status: Int, finalURL: String, headers: ResponseHeaders, body: String?)
    case failed(AttemptFailure)
}

/// An attempt's failure, and what else is known of it.
struct AttemptFailure {
    var failure: TransferFailure
    var headers = ResponseHeaders()
    /// Whether the server was on this machine, so that no network is missing.
    var wasLoopback = false
    /// Whether it is one that a missing network would explain.
    var isConnectionLoss = false
}

/// The checksum that a file must have, and the one that it has.
struct ChecksumCheck: Sendable {
    enum Found: Sendable {
        case known(String)
        /// It takes reading the file, which blocks.
        case read(@Sendable () throws -> String)
    }

    var expected: FileChecksum
    var found: Found
}

/// What every transfer needs of the agent around it.
struct TransferContext {
    let desk: StagingClient
    let exchanges: ExchangePool
    let timers: LoopTimers
    let paths: AgentPaths
    /// This run of the machine.
    let boot: String
}
#endif
