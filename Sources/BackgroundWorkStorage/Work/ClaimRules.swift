import BackgroundWorkModel

/// What a claim may take.
package struct ClaimRules: Sendable {
    /// How many items at most.
    package var limit: Int
    /// How many of these by age alone, whatever their priority.
    package var reservedForOldest: Int
    package var owner: Int64
    package var now: WallTime
    /// The conditions of the device that hold.
    package var device: DeviceState
    package var limits: WorkLimits
    /// A number from 0 to 1, for the jitter of hand-offs that have expired.
    package var random: Double

    package init(
        limit: Int, reservedForOldest: Int = 0, owner: Int64, now: WallTime,
        device: DeviceState = DeviceState(satisfied: .all), limits: WorkLimits = WorkLimits(), random: Double = 0.5
    ) {
        self.limit = limit
        self.reservedForOldest = reservedForOldest
        self.owner = owner
        self.now = now
        self.device = device
        self.limits = limits
        self.random = random
    }
}
