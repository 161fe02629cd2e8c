import BackgroundWorkFoundation

/// A request to be launched, as BGTaskScheduler takes it.
package struct LaunchRequest: Sendable, Hashable {
    package var identifier: String
    package var kind: LaunchKind
    /// `nil`: as soon as the system sees fit.
    package var earliest: Date?

    package init(identifier: String, kind: LaunchKind, earliest: Date?) {
        self.identifier = identifier
        self.kind = kind
        self.earliest = earliest
    }
}
