import BackgroundWorkFoundation

/// What the package uses of BGTaskScheduler.
package protocol LaunchRequestScheduler: Sendable {
    /// Names the handler of an identifier, before the app has been launched completely. False when the identifier is
    /// not in Info.plist. A second call for an identifier ends the app.
    @MainActor
    func register(_ identifier: String, launched: @escaping @Sendable (LaunchedTask) -> Void) -> Bool
    /// Replaces the pending request of that identifier.
    func submit(_ request: LaunchRequest) async throws(LaunchRequestError)
    /// Without a pending request it does nothing.
    func cancel(_ identifier: String) async
}

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
