/// What the package uses of NSBackgroundActivityScheduler.
protocol ActivityScheduler: Sendable {
    /// Asks for a time for an activity, between `delay` and `delay + flexibility` from now, in place of the pending one
    /// of that identifier. `began` is called then, and again after each activity that was deferred.
    func schedule(
        _ identifier: String, after delay: Duration, flexibility: Duration,
        began: @escaping @Sendable (any SystemActivity) -> Void
    ) async
    /// Without a pending activity it does nothing.
    func cancel(_ identifier: String) async
}

/// An activity for which the system has a good time now.
protocol SystemActivity: Sendable {
    /// The time is over: the user needs the machine, for example, or it runs on its battery.
    var shouldDefer: Bool { get async }
    /// Called once. What is not finished is deferred: the system chooses another time.
    func end(isFinished: Bool) async
}
