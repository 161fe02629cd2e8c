import BackgroundWorkFoundation

/// The source of a scheduler's time. Work is due by the wall clock; waits are timed by `sleep`.
///
/// The default is ``SystemWorkClock``; tests use `ManualClock` of `BackgroundWorkTesting` instead.
public protocol WorkClock: Sendable {
    /// The wall clock's time.
    var now: Date { get }
    /// The time since some fixed instant, on a monotonic clock that also runs while the machine is suspended.
    /// Together with ``now`` it shows when the wall clock was set.
    var uptime: Duration { get }
    /// Returns after `duration` has passed. Throws `CancellationError` when the task is cancelled first.
    func sleep(for duration: Duration) async throws
    /// Returns when ``uptime`` has reached `deadline`, at once if it has. Throws `CancellationError` when the task is
    /// cancelled first. A clock that a test moves should implement this itself, so that no move between reading the
    /// uptime and sleeping is missed; the default implementation sleeps for the remaining time.
    func sleep(untilUptime deadline: Duration) async throws
    /// An element each time the wall clock was set. A clock that cannot detect that ends the stream at once.
    func adjustments() -> AsyncStream<Void>
}

extension WorkClock {
    /// Sleeps for the remaining time.
    public func sleep(untilUptime deadline: Duration) async throws {
        try Task.checkCancellation()
        let left = deadline - uptime
        if left > .zero { try await sleep(for: left) }
    }
}
