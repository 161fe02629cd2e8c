import BackgroundWork

extension WorkScheduler.Configuration {
    /// Has the app launched for due work, and its locks let go before suspensions, by a ``SimulatedSystem``, with the
    /// code that iOS runs. Registers the handlers: call it where the app would register its own.
    ///
    /// - Parameter identifier: takes the place of ``WorkScheduler/Configuration/backgroundTaskIdentifier``.
    @MainActor
    public mutating func useSimulatedSystem(_ system: SimulatedSystemConnection, identifier: String) {
        launch(by: system, identifier: identifier)
        suspend(by: system)
    }
}

extension SimulatedSystem.PendingLaunch {
    init(_ request: LaunchRequest) {
        self.init(
            identifier: request.identifier, isRefresh: request.kind == .refresh,
            needsNetwork: request.kind.needsNetwork,
            needsPower: request.kind.needsPower, earliest: request.earliest)
    }
}

extension LaunchRequestError {
    init(_ refusal: SimulatedSystem.Refusal) {
        self =
            switch refusal {
            case .unavailable: .unavailable
            case .tooManyPendingTaskRequests: .tooManyPending
            case .notPermitted: .notPermitted
            }
    }
}
