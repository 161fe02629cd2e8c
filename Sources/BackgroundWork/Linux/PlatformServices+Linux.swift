import BackgroundWorkAgentClient
import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkTransfers

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
