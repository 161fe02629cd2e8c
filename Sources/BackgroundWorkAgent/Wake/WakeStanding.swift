import BackgroundWorkModel

/// What a schedule asks for at one moment.
struct WakeStanding: Sendable, Hashable {
    /// A host is to be launched now.
    var isDue = false
    /// The conditions of the device on which it depends whether one is; empty when it does not depend on any.
    var interest: Constraints = []
    /// The next instant at which a time comes.
    var next: WallTime?

    /// Whether some wake's time has come, be it that its conditions hold or not.
    var hasOverdue: Bool { isDue || !interest.isEmpty }
}
