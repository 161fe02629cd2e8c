import BackgroundWorkModel
import BackgroundWorkSystem

extension WallTime {
    /// The wall clock's time, without Foundation.
    static func now() -> WallTime {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return WallTime(milliseconds: Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec / 1_000_000))
    }
}

/// A wall-clock second in UTC, split into its components for log lines, without a date formatter.
struct UTCTime {
    private let parts: tm

    init(seconds: Int) {
        var seconds = seconds
        var parts = tm()
        gmtime_r(&seconds, &parts)
        self.parts = parts
    }

    /// `2026-01-31T23:59:59.123Z`.
    func extended(milliseconds: Int) -> String {
        "\(year)-\(month)-\(day)T\(hour):\(minute):\(second).\(padded(milliseconds, to: 3))Z"
    }

    private var year: String { padded(Int(parts.tm_year) + 1900, to: 4) }
    private var month: String { padded(Int(parts.tm_mon) + 1, to: 2) }
    private var day: String { padded(Int(parts.tm_mday), to: 2) }
    private var hour: String { padded(Int(parts.tm_hour), to: 2) }
    private var minute: String { padded(Int(parts.tm_min), to: 2) }
    private var second: String { padded(Int(parts.tm_sec), to: 2) }

    private func padded(_ value: Int, to width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
