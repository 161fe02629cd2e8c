import BackgroundWorkModel

extension WorkTransaction {
    func appendEvent(
        for record: WorkRecord, attempt: Int, _ outcome: WorkOutcome, _ details: Details, now: WallTime
    ) throws {
        try appendEvent(
            TaskCompletionEvent(
                sequence: 0, workID: record.id, taskName: record.workerName, chainID: record.chainID,
                stepIndex: record.stepIndex, occurrence: record.occurrence, attempt: attempt, outcome: outcome,
                message: details.message, outputJSON: details.outputJSON, metadata: record.options.metadata ?? [:],
                startedAt: record.startedAt?.date, finishedAt: now.date, duration: details.duration),
            work: record.sequence, claimGroup: record.claimGroupNumber, now: now)
    }

    /// - Parameter event: gets its number here.
    func appendEvent(_ event: TaskCompletionEvent, work: Int64?, claimGroup: Int64, now: WallTime) throws {
        var event = event
        try tables.events.insert(&event, work: work, claimGroup: claimGroup)
        summary.events.append(event)
        try pruneIfDue(after: event.sequence, now: now)
    }

    /// How often the events are pruned: each time this many have been written.
    private static let pruningInterval: Int64 = 256

    /// Prunes when it is due, so that on average each event pays for the removal of one.
    func pruneIfDue(after sequence: Int64, now: WallTime) throws {
        if sequence % Self.pruningInterval == 0 { try prune(newest: sequence, now: now) }
    }

    /// Deletes what exceeds the limits of count and age, at launch.
    package func prune(now: WallTime) throws {
        if let newest = try newestEvent() { try prune(newest: newest, now: now) }
    }

    /// The newest event that exceeds the age limit. Reads the oldest few, and if one of them exceeds it, no more than
    /// one pruning may delete.
    private func newestAged(_ now: WallTime, newest: Int64) throws -> Int64 {
        guard let age = settings.retainedAgeMs else { return 0 }
        let limit = now.advanced(byMs: -age)
        return try newestAged(limit, newest: newest, among: 16) > 0
            ? newestAged(limit, newest: newest, among: 4096) : 0
    }

    private func newestAged(_ limit: WallTime, newest: Int64, among count: Int) throws -> Int64 {
        try connection.first(
            """
            SELECT max(seq) FROM (SELECT seq, finished_at FROM events ORDER BY seq LIMIT ?) \
            WHERE finished_at < ? AND seq < ?
            """,
            .int(count), .int(limit.milliseconds), .int(newest)
        ) { $0.int(0) } ?? 0
    }

    /// Deletes the events beyond the retention limit, and the finished items that have no later event.
    ///
    /// The newest event is always kept, since the next event's number is counted from it.
    private func prune(newest: Int64, now: WallTime) throws {
        let cut = max(newest - Int64(max(1, settings.retainedEvents)), try newestAged(now, newest: newest))
        guard cut > 0 else { return }
        try prunePlainItems(upTo: cut)
        var others: [Int64] = []
        try connection.rows(
            "SELECT DISTINCT w.seq FROM events e CROSS JOIN work w ON w.seq = e.work WHERE e.seq <= ?", .int(cut)
        ) { others.append($0.int(0)) }
        // A chain is deleted as a whole: the outputs of a finished step are needed until the last step has run.
        var chains: [Int64: Bool] = [:]
        for sequence in others {
            guard let record = try record(sequence: sequence), record.status.state.isFinished,
                try newestEvent(of: sequence) ?? 0 <= cut
            else { continue }
            guard let chain = record.chainSequence else {
                try prune([record])
                continue
            }
            let isDone = try chains[chain] ?? isDone(chain, upTo: cut)
            if !isDone {
                try tables.carried.store(record, outcome: record.status.state)
            } else if chains[chain] == nil {
                try prune(try records(chain: chain))
            }
            chains[chain] = isDone
        }
        try connection.run("DELETE FROM events WHERE seq <= ?", .int(cut))
    }

    /// The items without rows in any other table.
    private func prunePlainItems(upTo cut: Int64) throws {
        var (highest, generation): (Int64, Int64) = (0, 0)
        try connection.rows(
            """
            DELETE FROM work WHERE seq IN (SELECT work FROM events WHERE seq <= ?) AND extras IS NULL \
            AND chain IS NULL AND NOT EXISTS (SELECT 1 FROM carried a WHERE a.seq = work.seq) RETURNING seq, generation
            """,
            .int(cut)
        ) {
            highest = max(highest, $0.int(0))
            generation = max(generation, $0.int(1))
        }
        guard highest > 0 else { return }
        try keepFree(upTo: highest)
        try raiseGenerationFloor(to: generation)
    }

    /// Whether all members of a chain have ended, the last one by then.
    private func isDone(_ chain: Int64, upTo cut: Int64) throws -> Bool {
        if try isUnfinished(chain: chain) { return false }
        return try connection.first(
            """
            SELECT 1 FROM members m CROSS JOIN events e ON e.work = m.seq WHERE m.chain = ? AND e.seq > ? LIMIT 1
            """,
            .int(chain), .int(cut)
        ) { _ in true } == nil
    }

    private func prune(_ records: [WorkRecord]) throws {
        try delete(records)
        if let newest = records.map(\.status.generation).max() { try raiseGenerationFloor(to: newest) }
    }
}

extension WorkSnapshot {
    func newestEvent(of work: Int64) throws -> Int64? {
        try connection.first("SELECT max(seq) FROM events WHERE work = ?", .int(work)) { $0.optionalInt(0) } ?? nil
    }

    /// The number of the newest event.
    package func newestEvent() throws -> Int64? { try tables.events.newest() }
}

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
    /// Others have committed something: runs of this scheduler that they have ended are stopped, and their events are
    /// published with this commit.
    package func readChangesOfOthers() throws {
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

    /// Adds the events that other processes have written before those of this commit, so that all are published in
    /// order.
    func addEventsOfOthers(after newestTold: Int64) throws {
        let first = summary.events.first?.sequence ?? .max
        guard summary.isNewsOfOthers || (first > newestTold + 1 && first < .max) else { return }
        summary.eventsOfOthers = try events(
            "SELECT \(EventTable.columns) FROM events WHERE seq > ? AND seq < ? ORDER BY seq", .int(newestTold),
            .int(first))
    }
}
