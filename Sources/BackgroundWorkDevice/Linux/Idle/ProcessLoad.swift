#if os(Linux)
import Glibc

/// How many processors this process has used lately, averaged over a minute in the way the kernel averages the load.
struct ProcessLoad: Sendable {
    private var value = 0.0
    private var last: (processorSeconds: Double, seconds: Double)?

    /// Both count from any moment on: the processor time that was used, and a clock that only goes forward.
    mutating func average(processorSeconds: Double, seconds: Double) -> Double {
        defer { last = (processorSeconds, seconds) }
        guard let last, seconds > last.seconds else { return value }
        let elapsed = seconds - last.seconds
        let decay = exp(-elapsed / 60)
        value = value * decay + (processorSeconds - last.processorSeconds) / elapsed * (1 - decay)
        return value
    }

    /// Up to this moment.
    mutating func averageNow() -> Double {
        average(processorSeconds: Self.seconds(CLOCK_PROCESS_CPUTIME_ID), seconds: Self.seconds(CLOCK_MONOTONIC))
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
#endif
