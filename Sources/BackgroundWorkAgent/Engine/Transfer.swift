import BackgroundWorkModel
import BackgroundWorkTransfers

/// One active transfer: what it waits for, how often it has been tried, and the work itself. Lives on the network loop's
/// thread.
final class Transfer {
    enum Stage {
        /// A condition prevents it from running.
        case held
        /// It waits for a slot.
        case queued
        case running
        /// A token is being fetched; it keeps its slot.
        case refreshing(TokenRequest)
        /// Its end is being checked, made durable and recorded.
        case ending
    }

    let task: Int64
    let specification: TransferSpecification
    let work: any TransferWork
    let startedAt: WallTime
    /// The instant at which it fails if it is not complete.
    let deadline: WallTime
    var stage = Stage.held
    var hold: TransferHold
    /// Failed attempts since the count started.
    var failures: Int
    /// All attempts of this run of the agent.
    var attempts = 0
    /// 0 for the URL itself.
    var mirror: Int { didSet { url = TransferURL(address, method: specification.method) } }
    /// Of the URLs before that.
    var mirrorFailures: MirrorFailures
    /// The parts of the URL in use.
    private(set) var url: TransferURL
    var bytesAtAttempt: Int64 = 0
    var token: String?
    /// Whether a token was fetched since the server last accepted one.
    var hasRefreshed = false
    /// A failure that a missing network may explain; it is handled when that is known.
    var unexplained: AttemptFailure?
    /// Whether the network was found missing while the transfer waited.
    var hasMissedNetwork = false

    init(_ record: TransferRecord, work: any TransferWork) {
        task = record.task
        specification = record.specification
        self.work = work
        startedAt = record.startedAt
        deadline = record.startedAt.advanced(byMs: record.specification.options.resourceTimeout.milliseconds)
        hold = TransferHold(
            record.specification.options, isPaused: record.isPaused, nextAttempt: record.nextAttempt)
        failures = record.failures
        mirror = record.mirror
        mirrorFailures = record.mirrorFailures
        url = TransferURL(specification.address(mirror: mirror), method: specification.method)
    }

    var name: String { "transfer \(task) (\(specification.reference))" }
    var options: TransferOptions { specification.options }
    /// What no message may show.
    var secrets: KnownSecrets { KnownSecrets(of: specification, token: token) }
    var mirrorsLeft: Int { max(0, specification.mirrors.count - mirror) }
    /// The URL in use.
    var address: String { specification.address(mirror: mirror) }
    var line: TransferQueue.Line { .init(host: url.host, session: specification.sessionIdentifier) }

    var isRunning: Bool {
        switch stage {
        case .running, .refreshing: true
        case .held, .queued, .ending: false
        }
    }

    func phase(now: WallTime, device: DeviceState?) -> TransferPhase {
        switch stage {
        case .held: hold.reason(now: now, device: device) ?? .waiting(.slot)
        case .queued: .waiting(.slot)
        case .running, .refreshing: .running
        case .ending: .finishing
        }
    }
}

extension TransferSpecification {
    fileprivate var mirrors: [String] { if case .download(let job) = job { job.mirrors } else { [] } }
    fileprivate var method: String { if case .upload(let job) = job { job.method } else { "GET" } }

    /// - Parameter mirror: 0 for the URL itself.
    fileprivate func address(mirror: Int) -> String {
        mirror == 0 || mirror > mirrors.count ? url : mirrors[mirror - 1]
    }
}
