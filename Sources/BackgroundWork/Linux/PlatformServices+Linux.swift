import BackgroundWorkAgentClient
import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers
import Synchronization

/// On Linux the agent does both.
extension PlatformServices {
    init(for client: Client) {
        let context = client.context
        let stateStore = context.stateStore
        let agent = AgentTransferService(
            directory: context.directory, store: context.store, agentExecutable: client.agentExecutable,
            launchCommand: client.launchCommand, limits: client.limits, clock: context.clock,
            report: client.notices.report,
            highestTaskIdentifier: { TaskIdentifierRange.highest(of: try stateStore.entries().map(\.taskIdentifier)) })
        self.init(transfers: agent, wakes: agent)
    }

    /// A label, which need not differ between programs.
    static var sessionIdentifier: String { "BackgroundWork.background" }
    static var standaloneSessionIdentifier: String { "BackgroundWork.standalone" }

    /// Here the agent launches programs.
    static var launches: LaunchServices? { nil }
    static var continuedTasks: (any ContinuedTaskScheduler)? { nil }
    static var activities: (any ActivityScheduler)? { nil }
    static var backgroundTaskIdentifier: String { "BackgroundWork" }

    static var baseFolders: [String: URL] { [:] }

    /// Processes are not suspended here.
    static var expiringActivities: (any ExpiringActivities)? { nil }
    static func endsProcesses(forLocksIn directory: String) -> Bool { false }

    /// Why only the limit for each host may be set; `nil` where all may be.
    static var onlyLimitsHosts: String? { nil }
}

extension NoticeLog {
    /// What only the user can change is also written to standard error: without its agent a program waits for transfers
    /// that are never started.
    @Sendable func report(_ problem: AgentSetupProblem) {
        let (kind, message): (SchedulerNotice.Kind, String) =
            switch problem {
            case .unavailable(let error): (.daemonUnreachable, "\(error)")
            case .otherProgram(let message): (.otherAgentProgram, message)
            }
        add(kind, message)
        if problem.needsUser { StandardError.sayOnce(message) }
    }
}

/// For messages that must be seen, whatever the host does with notices.
private enum StandardError {
    private static let said = Mutex<Set<String>>([])

    /// Writes a line, once for the whole process: several schedulers may have one cause.
    static func sayOnce(_ message: String) {
        guard said.withLock({ $0.insert(message).inserted }) else { return }
        var line = "BackgroundWork: \(message)\n"
        line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
