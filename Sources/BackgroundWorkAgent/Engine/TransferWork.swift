import BackgroundWorkExchange
import BackgroundWorkTransfers

/// The work of a transfer, attempt by attempt: a download or an upload. Lives on the network loop's thread.
protocol TransferWork: ExchangeOwner {
    /// Called at the end of each attempt, never from inside libcurl.
    var attemptEnded: (AttemptEnd) -> Void { get set }
    /// The number of bytes of the file that are transferred and will not be sent again.
    var bytes: Int64 { get }
    var totalBytes: Int64? { get }
    /// Starts an attempt, which continues from the progress of earlier ones.
    func begin(_ setting: AttemptSetting) throws(TransferFailure)
    /// Ends the attempt without an outcome, and keeps its progress.
    func suspend()
    /// Discards the progress of earlier attempts, because another server is used now.
    func startOver() throws(TransferFailure)
    /// The checksum that the whole file must have, and how to compute it; `nil` when nothing is to be checked.
    var check: ChecksumCheck? { get }
    /// What must be on the disk before success is recorded.
    var filesToSync: FilesToSync { get }
}

/// The address and the token of an attempt.
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
    /// All bytes are transferred, but not yet synced or checked.
    case complete(status: Int, finalURL: String, headers: ResponseHeaders, body: String?)
    case failed(AttemptFailure)
}

/// An attempt's failure, and further facts about it.
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
        /// The file must be read, which blocks.
        case read(@Sendable () throws -> String)
    }

    var expected: FileChecksum
    var found: Found
}

/// The parts of the agent that every transfer needs.
struct TransferContext {
    let staging: StagingClient
    let exchanges: ExchangePool
    let timers: LoopTimers
    let paths: AgentPaths
    /// This run of the machine.
    let boot: String
}
