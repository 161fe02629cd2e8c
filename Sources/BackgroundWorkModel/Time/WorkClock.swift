#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where a scheduler gets the time from. Work is due by the wall clock; waits are counted by `sleep`.
///
/// The default is ``SystemWorkClock``; tests put their own in its place.
public protocol WorkClock: Sendable {
    /// The wall clock's time.
    var now: Date { get }
    /// Returns after `duration` has passed. Throws `CancellationError` when the task is cancelled first.
    func sleep(for duration: Duration) async throws
}

/// The system's clocks: the wall clock for the time, a monotonic clock for waiting.
public struct SystemWorkClock: WorkClock {
    /// Creates the clock.
    public init() {}
    /// The wall clock's time.
    public var now: Date { Date() }
    /// Sleeps on the continuous clock, which goes on while the machine is suspended.
    public func sleep(for duration: Duration) async throws {
        try await Task.sleep(for: duration, clock: .continuous)
    }
}
