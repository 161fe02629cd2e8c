import Foundation

/// One line of the table.
struct QueueRow: Sendable {
    enum Unit: String, Codable, Sendable {
        case jobsPerSecond = "jobs/s"
        case insertsPerSecond = "inserts/s"
        case cpuMicroseconds = "µs CPU"
        case microseconds = "µs"
        case milliseconds = "ms"
        case commits
        case times = "x"
    }

    /// What `--only` calls it; several rows share it.
    var group: String
    var title: String
    var quantity: QueueQuantity
    var unit: Unit
    var goal: QueueGoal?
    /// Whether a larger figure is the better one, although it is not a rate.
    private var isGain = false

    init(
        _ group: String, _ title: String, _ quantity: QueueQuantity, _ unit: Unit, goal: QueueGoal? = nil,
        isGain: Bool = false
    ) {
        self.group = group
        self.title = title
        self.quantity = quantity
        self.unit = unit
        self.goal = goal
        self.isGain = isGain
    }

    var isBetterWhenLarger: Bool { isGain || unit == .jobsPerSecond || unit == .insertsPerSecond }

    /// Whether it says something about another run too. Times and rates depend on what else the machine does.
    var isComparable: Bool { unit == .cpuMicroseconds || unit == .times || unit == .commits }
}

/// What a row shows: a figure of a series, or one by another of the same round.
indirect enum QueueQuantity: Sendable {
    case figure(String, of: String)
    case quotient(QueueQuantity, QueueQuantity)

    /// The series that it is made of.
    var series: Set<String> {
        switch self {
        case .figure(_, let series): [series]
        case .quotient(let dividend, let divisor): dividend.series.union(divisor.series)
        }
    }
}

/// What a row is to reach.
enum QueueGoal: Sendable {
    case atMost(Double)
    case atLeast(Double)
    /// So many times the other build's figure.
    case timesOther(Double)

    var text: String {
        switch self {
        case .atMost(let limit): "≤ \(Self.plain(limit))"
        case .atLeast(let limit): "≥ \(Self.plain(limit))"
        case .timesOther(let factor): "≥ \(Self.plain(factor))x other"
        }
    }

    /// `nil` when the figure that it is about is missing.
    func isMet(value: Double?, ratio: Double?) -> Bool? {
        switch self {
        case .atMost(let limit): value.map { $0 <= limit }
        case .atLeast(let limit): value.map { $0 >= limit }
        case .timesOther(let factor): ratio.map { $0 >= factor }
        }
    }

    private static func plain(_ value: Double) -> String {
        value == value.rounded() ? "\(Int(value))" : "\(value)"
    }
}
