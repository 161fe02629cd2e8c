import Synchronization

/// Where threads and URL sessions find a daemon, without keeping it.
final class DaemonRelay<Daemon: AnyObject & Sendable>: Sendable {
    private struct Reference: Sendable { weak var daemon: Daemon? }
    private let reference = Mutex(Reference())

    var daemon: Daemon? { reference.withLock { $0.daemon } }
    func set(_ daemon: Daemon) { reference.withLock { $0.daemon = daemon } }
}
