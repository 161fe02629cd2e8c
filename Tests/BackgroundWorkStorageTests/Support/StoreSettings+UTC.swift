import BackgroundWorkModel

@testable import BackgroundWorkStorage

extension StoreSettings {
    /// - Parameter transferring: the workers whose runs may leave a transfer with the daemon.
    static func inUTC(
        retaining: Int = 1000, ageMs: Int64? = nil, transferring: Set<String> = []
    ) -> StoreSettings {
        StoreSettings(
            retainedEvents: retaining, retainedAgeMs: ageMs, triggers: TriggerRules(zones: UTCOnly()),
            mayLeaveTransfers: { transferring.contains($0) })
    }
}
