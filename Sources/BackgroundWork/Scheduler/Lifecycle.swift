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

    /// What a call of shutdown has to do.
    enum Shutdown {
        /// This call shuts down.
        case first
        /// Another call shuts down, or has done so; the caller is notified when it has ended.
        case inProgress
    }

    private let state = Mutex(State())

    /// True for the one call that starts the scheduler.
    func start() -> Bool {
        state.withLock { state in
            guard state.phase == .new, !state.isShutDown else { return false }
            state.phase = .starting
            return true
        }
    }

    func started() { state.withLock { $0.phase = .started } }

    /// The start failed, and may be tried again.
    func startFailed() { state.withLock { $0.phase = .new } }

    /// - Parameter ended: called when the shutdown has ended, whichever call does it.
    func shutDown(ended: @escaping @Sendable () -> Void) -> Shutdown {
        let (shutdown, isDown) = state.withLock { state in
            defer { state.isShutDown = true }
            if !state.isDown { state.whenDown.append(ended) }
            return (state.isShutDown ? Shutdown.inProgress : .first, state.isDown)
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

/// Tasks that run until the scheduler is shut down or deallocated.
final class TaskBag: Sendable {
    private let tasks = Mutex<[Task<Void, Never>]>([])

    func add(_ task: Task<Void, Never>) { tasks.withLock { $0.append(task) } }

    func cancelAll() {
        for task in tasks.withLock({ $0 }) { task.cancel() }
    }

    deinit { cancelAll() }
}
