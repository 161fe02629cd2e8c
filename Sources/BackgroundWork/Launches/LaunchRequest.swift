import BackgroundWorkFoundation

/// A request to be launched, as BGTaskScheduler takes it.
struct LaunchRequest: Sendable, Hashable {
    var identifier: String
    var kind: LaunchKind
    /// `nil`: as soon as the system sees fit.
    var earliest: Date?
}
