import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkSystem

/// The system's clocks: the wall clock for the time, a monotonic one for waiting.
public struct SystemWorkClock: WorkClock {
    /// Creates the clock.
    public init() {}

    /// The wall clock's time.
    public var now: Date { Date() }

    /// The time since the machine was started, suspension included.
    public var uptime: Duration {
        var time = timespec()
        #if BACKGROUNDWORK_HAS_DARWIN
        clock_gettime(CLOCK_MONOTONIC_RAW, &time)
        #else
        clock_gettime(CLOCK_BOOTTIME, &time)
        #endif
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }

    /// Sleeps on the continuous clock, which also runs while the machine is suspended.
    public func sleep(for duration: Duration) async throws {
        try await Task.sleep(for: duration, clock: .continuous)
    }

    /// Changes by hand, by a time daemon, or at a leap second.
    public func adjustments() -> AsyncStream<Void> { WallClockWatch.adjustments() }
}
