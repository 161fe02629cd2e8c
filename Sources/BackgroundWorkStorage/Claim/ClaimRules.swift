import BackgroundWorkModel

/// What a scheduler can take at the end of a transaction.
package struct ClaimRules: Sendable {
    /// How many items at most.
    package var limit: Int
    /// How many of these would start at once. Work that must not run twice is claimed for these only.
    package var freeSlots: Int
    /// How many of these are chosen by age alone, whatever their priority.
    package var reservedForOldest: Int
    /// Whether nothing runs or is about to run: only then may an item that must run alone start.
    package var isIdle: Bool
    package var owner: Int64
    package var now: WallTime
    /// The device conditions that are met.
    package var device: DeviceState
    package var limits: WorkLimits
    /// For quick work under a limit: how many items each slot completes within moments.
    package var ahead: [LimitKey: Double]
    /// How many workers under a limit have not returned yet although their work has been cancelled.
    package var leaving: [LimitKey: Int]
    /// A number from 0 to 1, for the jitter of hand-offs that have expired.
    package var random: @Sendable () -> Double

    package init(
        limit: Int, freeSlots: Int? = nil, reservedForOldest: Int = 0, isIdle: Bool = true, owner: Int64, now: WallTime,
        device: DeviceState = DeviceState(satisfied: .all), limits: WorkLimits = WorkLimits(),
        ahead: [LimitKey: Double] = [:], leaving: [LimitKey: Int] = [:],
        random: @escaping @Sendable () -> Double = { 0.5 }
    ) {
        self.limit = limit
        self.freeSlots = freeSlots ?? limit
        self.reservedForOldest = reservedForOldest
        self.isIdle = isIdle
        self.owner = owner
        self.now = now
        self.device = device
        self.limits = limits
        self.ahead = ahead
        self.leaving = leaving
        self.random = random
    }
}

/// What a claim pass found.
package struct Claim: Sendable {
    /// Work whose process died before while it ran is due, and waits until nothing else runs.
    package var suspectIsDue = false
    /// When the next claim pass is needed: an item is due, expires, or is allowed by a rate limit.
    package var nextClaim: WallTime?
    /// Due work waits for the end of other work, because of a limit.
    package var isHeldBackByLimits = false
    /// Queues whose rate limit holds due work back.
    package var rateLimited: Set<String> = []
    /// Conditions that are not met, and that waiting work needs.
    package var missing: Constraints = []

    mutating func look(at instant: WallTime) {
        guard instant != .distantFuture else { return }
        nextClaim = min(nextClaim ?? instant, instant)
    }
}

/// The scheduler behind a writer: each transaction asks it what it can take, and ``CommitSummary`` tells it what it
/// got.
package protocol WorkClaimer: AnyObject, Sendable {
    /// What may be claimed now; `nil` for nothing. Called on the writer's queue.
    func claimRules() -> ClaimRules?

    /// A run's end is durable, or could not be stored because of that error. Called on the writer's queue.
    func runIsStored(_ result: RunResult, _ error: (any Error)?)

    /// An estimate of how many runs will end within microseconds. Called on the writer's queue.
    func runsAboutToEnd() -> Int
}

extension WorkClaimer {
    package func runsAboutToEnd() -> Int { 0 }
}
