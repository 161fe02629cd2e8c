import BackgroundWorkFoundation

/// Where a scheduler gets the time from. Work is due by the wall clock; waits are counted by `sleep`.
///
/// The default is ``SystemWorkClock``; tests put `ManualClock` of `BackgroundWorkTesting` in its place.
public protocol WorkClock: Sendable {
    /// The wall clock's time.
    var now: Date { get }
    /// The time since some fixed instant, on a clock that nobody sets and that goes on while the machine is suspended.
    /// Together with ``now`` it tells when the wall clock was set.
    var uptime: Duration { get }
    /// Returns after `duration` has passed. Throws `CancellationError` when the task is cancelled first.
    func sleep(for duration: Duration) async throws
    /// Returns when ``uptime`` has reached `deadline`, at once if it has. Throws `CancellationError` when the task is
    /// cancelled first. A clock that a test moves should make this of itself, so that no move between the two is missed;
    /// by default it sleeps for what is left.
    func sleep(untilUptime deadline: Duration) async throws
    /// An element each time the wall clock was set. A clock that cannot tell ends the stream at once.
    func adjustments() -> AsyncStream<Void>
}

extension WorkClock {
    /// Sleeps for what is left until then.
    public func sleep(untilUptime deadline: Duration) async throws {
        try Task.checkCancellation()
        let left = deadline - uptime
        if left > .zero { try await sleep(for: left) }
    }
}
