import BackgroundWork
import BackgroundWorkURLSession

extension WorkScheduler.Configuration {
    /// Carries out transfers by simulated background URL sessions: with the code that Apple's platforms run, and a
    /// ``SimulatedURLSessionDaemon`` in place of the system's daemon. The scheduler keeps `sessions` in use.
    public mutating func useSimulatedSessions(_ sessions: SimulatedSessions) {
        makeTransferService = { URLSessionTransferService($0, provider: sessions) }
    }
}

extension StandaloneTransferConfiguration {
    /// The same for a `Downloader` or an `Uploader`.
    public mutating func useSimulatedSessions(_ sessions: SimulatedSessions) {
        makeTransferService = { URLSessionTransferService($0, provider: sessions) }
    }
}
