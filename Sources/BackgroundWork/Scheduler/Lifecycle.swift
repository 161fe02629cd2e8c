import Synchronization

/// Whether a scheduler has been started or shut down; each happens once.
final class Lifecycle: Sendable {
    private let state = Mutex((isStarted: false, isShutDown: false))

    /// True for the one call that starts it.
    func start() -> Bool {
        state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted && !state.isShutDown
        }
    }

    /// True for the one call that shuts it down.
    func shutDown() -> Bool {
        state.withLock { state in
            defer { state.isShutDown = true }
            return !state.isShutDown
        }
    }

    var isRunning: Bool { state.withLock { $0.isStarted && !$0.isShutDown } }

    var isShutDown: Bool { state.withLock { $0.isShutDown } }
}
