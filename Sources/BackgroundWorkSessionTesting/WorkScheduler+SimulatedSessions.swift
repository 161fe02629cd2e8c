import BackgroundWork
import BackgroundWorkURLSession

extension WorkScheduler.Configuration {
    /// Carries out transfers by simulated background URL sessions: with the code that Apple's platforms run, and a
    /// ``SimulatedURLSessionDaemon`` in place of the system's daemon. The scheduler keeps `sessions` in use.
    public mutating func useSimulatedSessions(_ sessions: SimulatedSessions) {
        makeTransferService = { site in
            let stateStore = site.stateStore
            return URLSessionTransferService(
                directory: site.directory, store: site.store, provider: sessions, clock: site.clock,
                entries: {
                    try stateStore.entries().map { .init(session: $0.sessionIdentifier, task: $0.taskIdentifier) }
                }, report: site.report)
        }
    }
}
