import BackgroundWorkModel
import BackgroundWorkTransfers
import BackgroundWorkURLSession

/// On Apple's systems transfers are carried out by background URL sessions. Nothing launches an app for its due work
/// yet.
extension PlatformServices {
    init(for client: Client) {
        let (stateStore, notices) = (client.stateStore, client.notices)
        let service = URLSessionTransferService(
            directory: client.directory, store: client.store, provider: BackgroundSessions.provider,
            clock: client.clock,
            entries: {
                try stateStore.entries().map { .init(session: $0.sessionIdentifier, task: $0.taskIdentifier) }
            }, report: { notices.add(.daemonUnreachable, $0) })
        self.init(transfers: service, wakes: nil)
    }

    static func deviceState(directory: String) -> any DeviceStateReader { UnwatchedDeviceState() }
}
