import BackgroundWorkModel

/// What the store needs to know of its scheduler.
package struct StoreSettings: Sendable {
    /// How many events are kept.
    package var retainedEvents: Int
    /// How old an event may grow, in milliseconds; `nil` for any age.
    package var retainedAgeMs: Int64?
    /// When the occurrences of triggers are due.
    package var triggers: TriggerRules
    /// Whether commits tell what was enqueued, and which chains ended.
    package var recordsTelemetry: Bool
    /// Whether the transfers of what is accepted here may dial any address.
    package var dialsAnyAddress: Bool
    /// Whether a run of this worker, by its name as requested, may leave a transfer with the daemon.
    package var mayLeaveTransfers: @Sendable (String) -> Bool

    package init(
        retainedEvents: Int, retainedAgeMs: Int64? = nil, triggers: TriggerRules, recordsTelemetry: Bool = false,
        dialsAnyAddress: Bool = false, mayLeaveTransfers: @escaping @Sendable (String) -> Bool = { _ in true }
    ) {
        self.retainedEvents = retainedEvents
        self.retainedAgeMs = retainedAgeMs
        self.triggers = triggers
        self.recordsTelemetry = recordsTelemetry
        self.dialsAnyAddress = dialsAnyAddress
        self.mayLeaveTransfers = mayLeaveTransfers
    }
}
