import BackgroundWorkModel

/// What a schedule asks for at one moment.
struct WakeStanding: Sendable, Hashable {
    /// Work is due, and a host is to be launched for it now.
    var isDue = false
    /// A file that somebody waits for has changed, and a host is to be launched for it now.
    var hasChangedFile = false
    /// It is still being looked whether one has.
    var mayHaveChangedFile = false
    /// The conditions of the device on which it depends whether one is; empty when it does not depend on any.
    var interest: Constraints = []
    /// The next instant at which a time comes.
    var next: WallTime?

    /// Why a host is to be launched now; `nil` if none is.
    var reason: LaunchReason? { isDue ? .dueWork : hasChangedFile ? .changedFile : nil }

    /// Whether some wake's time has come, be it that its conditions hold or not.
    var hasOverdue: Bool { isDue || hasChangedFile || mayHaveChangedFile || !interest.isEmpty }
}
