/// How long to wait before the host is launched again: 1, 2, 4 … seconds, five minutes at most.
struct LaunchBackoff: Sendable, Hashable {
    static let longest = Duration.seconds(300)
    private var failures = 0

    init() {}

    mutating func launchFailed() { failures += 1 }

    /// The host has acknowledged an outcome or processed work that was due.
    mutating func succeeded() { failures = 0 }

    /// The wait after `failures` launches in a row without progress.
    var wait: Duration {
        let doublings = min(max(failures - 1, 0), 9)
        return min(.seconds(1 << doublings), Self.longest)
    }
}

/// What a host is launched for.
enum LaunchReason: String, Sendable, CustomStringConvertible {
    case undeliveredOutcomes = "undelivered outcomes"
    case dueWork = "work that is due"
    case changedFile = "a file that has changed"

    var description: String { rawValue }
}
