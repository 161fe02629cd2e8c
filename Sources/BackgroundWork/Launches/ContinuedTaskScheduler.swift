/// What the package uses of the system for work that a user has started: BGContinuedProcessingTask, or on a Mac an
/// activity of the process.
protocol ContinuedTaskScheduler: Sendable {
    /// Asks for a task. `launched` gets it when the system runs it, at most once, maybe before this returns. Each
    /// identifier may be used once in a process.
    func begin(
        _ request: ContinuedRequest, launched: @escaping @Sendable (LaunchedTask) -> Void
    ) async throws(LaunchRequestError)
    /// Withdraws a request whose task does not run yet.
    func cancel(_ identifier: String) async
}

/// A request to show work that a user has started, and to keep the app running for it.
struct ContinuedRequest: Sendable, Hashable {
    var identifier: String
    var title: String
    var subtitle: String
    /// Whether it may wait for its turn; otherwise it is refused when the system has no room now.
    var mayWait: Bool
}

/// What the system shows of such work.
struct ContinuedDisplay: Sendable, Hashable {
    var title: String
    var subtitle: String
    /// In units of which each piece of work has ``unitsOfWork``.
    var completed: Int64 = 0
    var total: Int64 = 0

    static let unitsOfWork: Int64 = 1000
}
