import BackgroundWorkFoundation
import BackgroundWorkSystem

/// Dates as HTTP writes them (RFC 9110, section 5.6.7).
public enum HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// A date in whole seconds, for instance `Sun, 06 Nov 1994 08:49:37 GMT`.
    public static func text(_ date: Date) -> String {
        var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { twoDigits(Int($0)) }.joined(separator: ":")
        let day = "\(days[Int(parts.tm_wday)]), \(twoDigits(Int(parts.tm_mday)))"
        return "\(day) \(months[Int(parts.tm_mon)]) \(1900 + Int(parts.tm_year)) \(time) GMT"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
