/// Why the system did not take a request for a launch.
package enum LaunchRequestError: Error, Sendable, Hashable {
    /// The app cannot be launched in the background: the user has turned that off, or it runs in the simulator.
    case unavailable
    case tooManyPending
    /// There is no room for work that a user has started, and its request was not to wait.
    case immediateRunIneligible
    /// Info.plist lacks the identifier or the background mode.
    case notPermitted
    /// No handler was registered in this process.
    case notRegistered
    case other(String)

    /// What to do.
    var advice: String {
        switch self {
        case .unavailable:
            "the app may not be launched in the background. The user can allow it in the settings (Background App "
                + "Refresh); the simulator never does it"
        case .tooManyPending:
            "too many requests of this app are pending: the system takes 1 refresh and 10 processing requests. Cancel "
                + "requests of your own"
        case .immediateRunIneligible:
            "the system has no room for it now. Let the request wait, or ask the user to try again"
        case .notPermitted:
            "Info.plist does not permit it. Add the identifiers to BGTaskSchedulerPermittedIdentifiers, and fetch and "
                + "processing to UIBackgroundModes"
        case .notRegistered:
            "no handler was registered. Call WorkScheduler.registerBackgroundTasks() before the app has finished "
                + "launching, with the identifier of the configuration"
        case .other(let message): message
        }
    }
}
