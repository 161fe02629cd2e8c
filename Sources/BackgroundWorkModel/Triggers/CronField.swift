/// One of the five fields of a cron schedule.
package enum CronField: String, Sendable, Hashable, CaseIterable {
    /// 0 to 59.
    case minute
    /// 0 to 23.
    case hour
    /// 1 to 31.
    case dayOfMonth = "day of month"
    /// 1 to 12, or JAN to DEC.
    case month
    /// 0 to 7, where both 0 and 7 are Sunday, or SUN to SAT.
    case dayOfWeek = "day of week"

    /// The numbers that may be written.
    var numbers: ClosedRange<Int> {
        switch self {
        case .minute: 0...59
        case .hour: 0...23
        case .dayOfMonth: 1...31
        case .month: 1...12
        case .dayOfWeek: 0...7
        }
    }

    /// What `*` stands for. Sunday counts once, so that steps over the week do not meet it twice.
    var everything: ClosedRange<Int> { self == .dayOfWeek ? 0...6 : numbers }

    /// The names of the values, in order, from the first of ``everything`` on.
    var names: [String] {
        switch self {
        case .month: ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
        case .dayOfWeek: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]
        case .minute, .hour, .dayOfMonth: []
        }
    }

    /// What may be written for one value, for people.
    var expectation: String {
        let span = "\(numbers.lowerBound) to \(numbers.upperBound)"
        guard let first = names.first, let last = names.last else { return span }
        return "\(span) or \(first) to \(last)"
    }
}
