import Synchronization

/// Whether a scheduler has been started or shut down; each happens once.
final class Lifecycle: Sendable {
    private enum Phase { case new, starting, started }

    private struct State {
        var phase = Phase.new
        var isShutDown = false
    }

    private let state = Mutex(State())

    /// True for the one call that starts it.
    func start() -> Bool {
        state.withLock { state in
            guard state.phase == .new, !state.isShutDown else { return false }
            state.phase = .starting
            return true
        }
    }

    func started() { state.withLock { $0.phase = .started } }

    /// It could not be started, and may be tried again.
    func startFailed() { state.withLock { $0.phase = .new } }

    /// True for the one call that shuts it down.
    func shutDown() -> Bool {
        state.withLock { state in
            defer { state.isShutDown = true }
            return !state.isShutDown
        }
    }

    var isRunning: Bool { state.withLock { $0.phase != .new && !$0.isShutDown } }

    var isShutDown: Bool { state.withLock { $0.isShutDown } }
}
