import Synchronization

/// The time that the system gives the app after it has launched it for a request, or for work that a user has started.
package final class LaunchedTask: Sendable {
    private struct State {
        var hasExpired = false
        var isComplete = false
        var whenExpired: [@Sendable () -> Void] = []
    }

    let identifier: String
    /// How long the system lets it run, as far as that is known.
    let timeLimit: Duration?
    private let shows: @Sendable (_ current: @escaping @Sendable () -> ContinuedDisplay) -> Void
    private let completed: @Sendable (Bool) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - shows: called when the system is to show something else. It asks for the current state itself, so that an
    ///     older one never replaces a newer one.
    ///   - completed: called once, with whether all due work was run.
    init(
        identifier: String, timeLimit: Duration?,
        shows: @escaping @Sendable (_ current: @escaping @Sendable () -> ContinuedDisplay) -> Void,
        completed: @escaping @Sendable (Bool) -> Void
    ) {
        self.identifier = identifier
        self.timeLimit = timeLimit
        self.shows = shows
        self.completed = completed
    }

    /// For a system that shows nothing.
    package convenience init(
        identifier: String, timeLimit: Duration?, completed: @escaping @Sendable (Bool) -> Void
    ) {
        self.init(identifier: identifier, timeLimit: timeLimit, shows: { _ in }, completed: completed)
    }

    /// The system wants the app to end the task within seconds.
    package func expire() {
        let waiting = state.withLock { state in
            state.hasExpired = true
            defer { state.whenExpired = [] }
            return state.whenExpired
        }
        for expired in waiting { expired() }
    }

    /// Calls it when the task expires, or at once if it has.
    func whenExpired(_ expired: @escaping @Sendable () -> Void) {
        let hasExpired = state.withLock { state in
            if !state.hasExpired { state.whenExpired.append(expired) }
            return state.hasExpired
        }
        if hasExpired { expired() }
    }

    /// What the user sees of it has changed.
    func show(_ current: @escaping @Sendable () -> ContinuedDisplay) { shows(current) }

    /// The system may suspend the process from now on. Only the first call counts.
    func complete(success: Bool) {
        let isFirst = state.withLock { state in
            defer { state.isComplete = true }
            state.whenExpired = []
            return !state.isComplete
        }
        if isFirst { completed(success) }
    }
}
