import BackgroundWorkModel

extension WorkTransaction {
    /// Events after `sequence`, in order.
    package func events(after sequence: Int64, limit: Int) throws -> [TaskCompletionEvent] {
        try events(
            "SELECT \(TaskCompletionEvent.columns) FROM events WHERE seq > ? ORDER BY seq LIMIT ?", .int(sequence),
            .int(limit))
    }

    /// The newest events, the newest first; those of one id only, if one is given.
    package func newestEvents(workID: String?, before: Int64?, limit: Int) throws -> [TaskCompletionEvent] {
        try events(
            """
            SELECT \(TaskCompletionEvent.columns) FROM events WHERE seq < ?1 AND (?2 IS NULL OR work_id = ?2) \
            ORDER BY seq DESC LIMIT ?3
            """,
            .int(before ?? .max), .optional(workID), .int(limit))
    }

    /// Others have committed something: their events are told with this commit.
    package func takeUpNewsOfOthers() { summary.isNewsOfOthers = true }

    /// Puts the events that other processes have written since before this commit's own, so that all are told in order.
    func addEventsOfOthers(after newestTold: Int64) throws {
        let first = summary.events.first?.sequence ?? .max
        guard summary.isNewsOfOthers || (first > newestTold + 1 && first < .max) else { return }
        summary.eventsOfOthers = try events(
            "SELECT \(TaskCompletionEvent.columns) FROM events WHERE seq > ? AND seq < ? ORDER BY seq",
            .int(newestTold), .int(first))
    }

    func events(_ sql: String, _ bindings: SQLiteBinding...) throws -> [TaskCompletionEvent] {
        var events: [TaskCompletionEvent] = []
        try connection.rows(sql, bindings) { events.append(TaskCompletionEvent($0)) }
        return events
    }
}
