import Synchronization

/// Whether a scheduler has been started or shut down; each happens once.
final class Lifecycle: Sendable {
    private enum Phase { case new, starting, started }

    private struct State {
        var phase = Phase.new
        var isShutDown = false
        var isDown = false
        var whenDown: [@Sendable () -> Void] = []
    }

    /// How the call of a shutdown stands.
    enum Shutdown {
        /// It is this one's to do.
        case first
        /// Another one does it, or has done it; the caller is told when it has ended.
        case underWay
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

    /// - Parameter ended: called when the shutdown has ended, whoever does it.
    func shutDown(ended: @escaping @Sendable () -> Void) -> Shutdown {
        let (shutdown, isDown) = state.withLock { state in
            defer { state.isShutDown = true }
            if !state.isDown { state.whenDown.append(ended) }
            return (state.isShutDown ? Shutdown.underWay : .first, state.isDown)
        }
        if isDown { ended() }
        return shutdown
    }

    func hasShutDown() {
        let waiting = state.withLock { state in
            state.isDown = true
            defer { state.whenDown = [] }
            return state.whenDown
        }
        for ended in waiting { ended() }
    }

    var isRunning: Bool { state.withLock { $0.phase != .new && !$0.isShutDown } }

    var isShutDown: Bool { state.withLock { $0.isShutDown } }
}

/// Tasks that go on until the scheduler is shut down, or is gone.
final class TaskBag: Sendable {
    private let tasks = Mutex<[Task<Void, Never>]>([])

    func add(_ task: Task<Void, Never>) { tasks.withLock { $0.append(task) } }

    func cancelAll() {
        for task in tasks.withLock({ $0 }) { task.cancel() }
    }

    deinit { cancelAll() }
}
