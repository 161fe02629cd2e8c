/// What a host is launched for.
enum LaunchReason: String, Sendable, CustomStringConvertible {
    case undeliveredOutcomes = "undelivered outcomes"
    case dueWork = "work that is due"
    case changedFile = "a file that has changed"

    var description: String { rawValue }
}
