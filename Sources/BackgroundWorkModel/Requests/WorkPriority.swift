/// How urgent a request is. Due work of a higher priority starts first; within one priority the earliest due goes first.
public enum WorkPriority: Int, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// Runs when nothing else is due.
    case low = 0
    /// The default.
    case normal = 1
    /// Before normal work.
    case high = 2
    /// Before everything else.
    case critical = 3

    /// Orders by urgency: `.low < .critical`.
    public static func < (lhs: WorkPriority, rhs: WorkPriority) -> Bool { lhs.rawValue < rhs.rawValue }
}
