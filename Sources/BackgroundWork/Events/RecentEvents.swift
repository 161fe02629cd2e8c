import BackgroundWorkModel

/// The events of the newest commits, for durable subscriptions that keep up: they need not ask the database for what was
/// in memory a moment ago. Without gaps; who is further behind reads pages.
struct RecentEvents: Sendable {
    /// How many events are kept at most; of the last commit all are.
    private static let limit = 4096

    private var commits: [[TaskCompletionEvent]] = []
    private var count = 0

    mutating func append(_ events: [TaskCompletionEvent]) {
        guard let first = events.first else { return }
        if let last = commits.last?.last, last.sequence + 1 != first.sequence { removeAll() }
        commits.append(events)
        count += events.count
        while count > Self.limit, commits.count > 1 { count -= commits.removeFirst().count }
    }

    mutating func removeAll() {
        commits = []
        count = 0
    }

    /// What follows an event, up to the end of a commit; nothing if it is the newest one, and `nil` if that is not known
    /// here.
    func events(after sequence: Int64) -> ArraySlice<TaskCompletionEvent>? {
        if commits.last?.last?.sequence == sequence { return [] }
        for commit in commits.reversed() where commit[0].sequence <= sequence + 1 {
            let index = Int(sequence + 1 - commit[0].sequence)
            return index < commit.count ? commit[index...] : nil
        }
        return nil
    }
}
