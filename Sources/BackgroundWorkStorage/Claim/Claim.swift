import BackgroundWorkModel

/// What a look at the waiting work saw.
package struct Claim: Sendable {
    /// Work that has killed its process before is due, and waits until nothing else runs.
    package var suspectIsDue = false
    /// When to look again: something falls due, expires, or gets its turn under a rate limit.
    package var nextLook: WallTime?
    /// Due work waits for the end of other work, because of a limit.
    package var isHeldBackByLimits = false
    /// Queues whose rate limit holds due work back.
    package var rateLimited: Set<String> = []
    /// Conditions that do not hold, and that waiting work needs.
    package var missing: Constraints = []

    mutating func look(at instant: WallTime) {
        guard instant != .distantFuture else { return }
        nextLook = min(nextLook ?? instant, instant)
    }
}
