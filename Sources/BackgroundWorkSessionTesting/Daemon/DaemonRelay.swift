import Synchronization

/// Where threads and URL sessions find the daemon, without keeping it.
final class DaemonRelay: Sendable {
    private struct Reference: Sendable { weak var daemon: SimulatedURLSessionDaemon? }
    private let reference = Mutex(Reference())

    var daemon: SimulatedURLSessionDaemon? { reference.withLock { $0.daemon } }
    func set(_ daemon: SimulatedURLSessionDaemon) { reference.withLock { $0.daemon = daemon } }
}
