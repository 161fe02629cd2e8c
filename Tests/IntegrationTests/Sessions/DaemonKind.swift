/// The implementations of the seam between scheduler and daemon.
enum DaemonKind: String, Sendable, CaseIterable {
    case scripted
    case agent
    case urlSession
    case simulated
}
