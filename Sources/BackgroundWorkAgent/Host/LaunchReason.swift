/// What a host is launched for.
enum LaunchReason: String, Sendable, CustomStringConvertible {
    case undeliveredOutcomes = "undelivered outcomes"
    case dueWork = "work that is due"

    var description: String { rawValue }
}
