import BackgroundWorkAgentClient
import BackgroundWorkDevice
import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkTransfers

/// On Linux the agent does both.
extension PlatformServices {
    init(for client: Client) {
        let stateStore = client.stateStore
        let agent = AgentTransferService(
            directory: client.directory, store: client.store, agentExecutable: client.agentExecutable,
            launchCommand: client.launchCommand, limits: client.limits, clock: client.clock,
            report: client.notices.report,
            highestTaskIdentifier: { TaskIdentifierRange.highest(of: try stateStore.entries().map(\.taskIdentifier)) })
        self.init(transfers: agent, wakes: agent)
    }

    /// A label, which need not differ between programs.
    static var sessionIdentifier: String { "BackgroundWork.background" }
    static var standaloneSessionIdentifier: String { "BackgroundWork.standalone" }

    static var baseFolders: [String: URL] { [:] }

    /// Why only the limit for each host may be set; `nil` where all may be.
    static var onlyLimitsHosts: String? { nil }

    /// - Parameter directory: the folder whose volume `storageNotLow` is about.
    static func deviceState(directory: String) -> any DeviceStateReader { LinuxDeviceState(directory: directory) }
}
