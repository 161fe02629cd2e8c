import BackgroundWorkModel

extension WorkSnapshot {
    /// The newest events, the newest first; those of one id only, if one is given.
    package func newestEvents(workID: String?, before: Int64?, limit: Int) throws -> [TaskCompletionEvent] {
        try events(
            """
            SELECT \(EventTable.columns) FROM events WHERE seq < ?1 AND (?2 IS NULL OR work_id = ?2) \
            ORDER BY seq DESC LIMIT ?3
            """,
            .int(before ?? .max), .optional(workID), .int(limit))
    }

    func events(_ sql: String, _ bindings: SQLiteBinding...) throws -> [TaskCompletionEvent] {
        var events: [TaskCompletionEvent] = []
        try connection.rows(sql, bindings) { events.append(try TaskCompletionEvent($0, claimGroups)) }
        return events
    }
}

extension WorkTransaction {
    /// Others have committed something: what they have ended of this scheduler's runs stops, and their events are told
    /// with this commit.
    package func takeUpNewsOfOthers() throws {
        summary.isNewsOfOthers = true
        forgetHolds()
        guard let ownOwner else { return }
        try connection.rows("SELECT seq, generation FROM stops WHERE owner = ?", .int(ownOwner)) {
            summary.stoppedRuns.append(RunKey(sequence: $0.int(0), generation: $0.int(1)))
        }
        if !summary.stoppedRuns.isEmpty {
            try connection.run("DELETE FROM stops WHERE owner = ?", .int(ownOwner))
        }
        summary.heldQueues.formUnion(try paused())
    }

    /// Puts the events that other processes have written since before this commit's own, so that all are told in order.
    func addEventsOfOthers(after newestTold: Int64) throws {
        let first = summary.events.first?.sequence ?? .max
        guard summary.isNewsOfOthers || (first > newestTold + 1 && first < .max) else { return }
        summary.eventsOfOthers = try events(
            "SELECT \(EventTable.columns) FROM events WHERE seq > ? AND seq < ? ORDER BY seq", .int(newestTold),
            .int(first))
    }
}
