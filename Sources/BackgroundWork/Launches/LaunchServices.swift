/// The platform's way to let work that a user has started go on.
struct ContinuedServices: Sendable {
    /// Of the identifiers.
    var prefix: String
    var tasks: any ContinuedTaskScheduler
}

/// The platform's way to have the app launched, where it is the system's.
struct LaunchServices: Sendable {
    var scheduler: any LaunchRequestScheduler
    var dispatch: LaunchDispatch
}
