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
    /// Whether a larger figure is the better one, although it is no rate.
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
