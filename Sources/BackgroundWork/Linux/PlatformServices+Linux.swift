import BackgroundWorkAgentClient
import BackgroundWorkDevice
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

    /// - Parameter directory: the folder whose volume `storageNotLow` is about.
    static func deviceState(directory: String) -> any DeviceStateReader { LinuxDeviceState(directory: directory) }
}
