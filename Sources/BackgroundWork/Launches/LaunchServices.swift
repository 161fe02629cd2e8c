/// The platform's way to let work that a user has started go on.
struct ContinuedServices: Sendable {
    /// Of the identifiers.
    var prefix: String
    var tasks: any ContinuedTaskScheduler
}

extension WorkScheduler.Configuration {
    /// Has the app launched by another system than the platform's, and registers its handlers there.
    @MainActor
    package mutating func launch(by system: any LaunchRequestScheduler, identifier: String) {
        let dispatch = LaunchDispatch(clock: clock)
        dispatch.register(prefix: identifier, with: system)
        launches = LaunchServices(scheduler: system, dispatch: dispatch)
        backgroundTaskIdentifier = identifier
    }

    /// Lets the directory's locks go before another system than the platform's suspends the process.
    package mutating func suspend(by system: any ExpiringActivities) {
        expiringActivities = system
        releasesLocksWhenSuspended = true
    }
}

/// The platform's way to have the app launched, where it is the system's.
struct LaunchServices: Sendable {
    var scheduler: any LaunchRequestScheduler
    var dispatch: LaunchDispatch
}
