import BackgroundWorkDevice
import BackgroundWorkModel
import Synchronization

/// Registers the handlers of this process, and passes each launched task to the schedulers whose request it was. They
/// may be started later: the system calls the handlers while the app is launching.
final class LaunchDispatch: Sendable {
    static let shared = LaunchDispatch(clock: SystemWorkClock())

    private struct WeakWindow: Sendable {
        weak var window: LaunchWindow?
    }

    private struct State: Sendable {
        var tried: Set<String> = []
        var registered: Set<String> = []
        var windows: [WeakWindow] = []
        /// Tasks without a scheduler.
        var waiting: [LaunchedTask] = []
        /// What nobody was there to be told.
        var untold: [String] = []
    }

    /// For how long a task waits for a scheduler: the shortest tasks get about 30 seconds.
    private static let longestWait = Duration.seconds(20)

    private let clock: any WorkClock
    private let state = Mutex(State())

    init(clock: any WorkClock) { self.clock = clock }

    /// Whether the app wants to be launched for work at all.
    var isUsed: Bool { state.withLock { !$0.tried.isEmpty } }

    /// Why an identifier must not be requested; `nil`: it has a handler. The system ends an app that it launches for
    /// an identifier without one.
    func complaint(about identifier: String) -> LaunchRequestError? {
        state.withLock { state in
            if state.registered.contains(identifier) { return nil }
            return state.tried.contains(identifier) ? .notPermitted : .notRegistered
        }
    }

    /// Registers the identifiers of a prefix, each once in the process.
    @MainActor
    func register(prefix: String, with scheduler: any LaunchRequestScheduler) {
        let tried = state.withLock { $0.tried }
        let identifiers = LaunchKind.allCases.map { $0.identifier(prefix: prefix) }.filter { !tried.contains($0) }
        let registered = identifiers.filter { scheduler.register($0, launched: launched) }
        state.withLock { state in
            state.tried.formUnion(identifiers)
            state.registered.formUnion(registered)
        }
    }

    /// From now on tasks are passed to this scheduler too, those that wait as well. It is not retained.
    func add(_ window: LaunchWindow) {
        let (waiting, untold) = state.withLock { state in
            state.windows.removeAll { $0.window == nil }
            state.windows.append(WeakWindow(window: window))
            defer { state.untold = [] }
            return (state.waiting, state.untold)
        }
        untold.forEach(window.report)
        for task in waiting { pass(task) }
    }

    /// The system has launched the app, or woken it.
    @Sendable func launched(_ task: LaunchedTask) {
        state.withLock { $0.waiting.append(task) }
        task.whenExpired { [self, weak task] in
            if let task { giveUp(task) }
        }
        pass(task)
        Task { [clock] in
            try? await clock.sleep(for: Self.longestWait)
            giveUp(task)
        }
    }

    private func pass(_ task: LaunchedTask) {
        let windows = state.withLock { state -> [LaunchWindow] in
            let windows = state.windows.compactMap(\.window).filter { $0.takes(task.identifier) }
            guard !windows.isEmpty, let index = state.waiting.firstIndex(where: { $0 === task }) else { return [] }
            state.waiting.remove(at: index)
            return windows
        }
        guard !windows.isEmpty else { return }
        Task {
            let success = await withTaskGroup(of: Bool.self) { group in
                for window in windows { group.addTask { await window.run(task) } }
                return await group.reduce(true) { $0 && $1 }
            }
            task.complete(success: success)
        }
    }

    /// Ends a task that still waits.
    private func giveUp(_ task: LaunchedTask) {
        let message =
            "The system launched this app for \(task.identifier), and no scheduler was started in time that has this "
            + "backgroundTaskIdentifier. Create and start it while the app is launching, also when it is launched in "
            + "the background."
        let windows: [LaunchWindow]? = state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0 === task }) else { return nil }
            state.waiting.remove(at: index)
            let windows = state.windows.compactMap(\.window)
            if windows.isEmpty { state.untold.append(message) }
            return windows
        }
        guard let windows else { return }
        for window in windows { window.report(message) }
        task.complete(success: false)
    }
}
