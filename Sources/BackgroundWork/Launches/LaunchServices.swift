/// The platform's way to have the app launched, where it is the system's.
struct LaunchServices: Sendable {
    var scheduler: any LaunchRequestScheduler
    var dispatch: LaunchDispatch
}
