import BackgroundWorkModel

extension WorkTransaction {
    /// Whose end an event tells.
    struct Ending {
        var id: String
        var workerName: String
        var chainID: String?
        var stepIndex: Int
        var occurrence: Int
        var attempt: Int
        var metadata: [String: String]
        var startedAt: WallTime?
    }

    func appendEvent(
        for record: WorkRecord, attempt: Int, _ outcome: WorkOutcome, _ details: Details, now: WallTime
    ) throws {
        try appendEvent(
            Ending(
                id: record.id, workerName: record.workerName, chainID: record.chainID, stepIndex: record.stepIndex,
                occurrence: record.occurrence, attempt: attempt, metadata: record.options.metadata ?? [:],
                startedAt: record.startedAt), outcome, details, now: now)
    }

    func appendEvent(_ ending: Ending, _ outcome: WorkOutcome, _ details: Details, now: WallTime) throws {
        try connection.run(
            """
            INSERT INTO events (work_id, worker, chain, step, occurrence, attempt, outcome, message, output, \
            finished_at, metadata, started_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .text(ending.id), .text(ending.workerName), .optional(ending.chainID), .int(ending.stepIndex),
            .int(ending.occurrence), .int(ending.attempt), .text(outcome.rawValue), .optional(details.message),
            .optional(details.outputJSON), .int(now.milliseconds),
            .optional(ending.metadata.isEmpty ? nil : try StoredJSON.encode(ending.metadata)),
            .optional(ending.startedAt?.milliseconds))
        let sequence = connection.lastInsertedRowID
        summary.events.append(
            TaskCompletionEvent(
                sequence: sequence, workID: ending.id, taskName: ending.workerName, chainID: ending.chainID,
                stepIndex: ending.stepIndex, occurrence: ending.occurrence, attempt: ending.attempt, outcome: outcome,
                message: details.message, outputJSON: details.outputJSON, metadata: ending.metadata,
                startedAt: ending.startedAt?.date, finishedAt: now.date))
        try pruneIfDue(after: sequence, now: now)
    }

    /// How often the events are pruned: each time this many have been written.
    private static let pruningInterval: Int64 = 256

    /// Prunes when it is time for it, so that each event pays for the removal of one.
    func pruneIfDue(after sequence: Int64, now: WallTime) throws {
        if sequence % Self.pruningInterval == 0 { try prune(newest: sequence, now: now) }
    }

    /// Deletes what is past the limits of count and age, at a launch.
    package func prune(now: WallTime) throws {
        if let newest = try newestEvent() { try prune(newest: newest, now: now) }
    }

    /// The number of the newest event.
    package func newestEvent() throws -> Int64? {
        try connection.first("SELECT max(seq) FROM events") { $0.optionalInt(0) } ?? nil
    }

    /// The newest event that is past the age limit; looks at no more than what one pruning may delete.
    private func newestAged(_ now: WallTime, newest: Int64) throws -> Int64 {
        guard let age = settings.retainedAgeMs else { return 0 }
        return try connection.first(
            """
            SELECT max(seq) FROM (SELECT seq, finished_at FROM events ORDER BY seq LIMIT 4096) \
            WHERE finished_at < ? AND seq < ?
            """,
            .int(now.advanced(byMs: -age).milliseconds), .int(newest)
        ) { $0.int(0) } ?? 0
    }

    /// Deletes the events beyond the retention limit, and the finished items whose last word they were.
    ///
    /// The newest event always stays, since its number is where the next one counts on.
    private func prune(newest: Int64, now: WallTime) throws {
        let cut = max(newest - Int64(max(1, settings.retainedEvents)), try newestAged(now, newest: newest))
        guard cut > 0 else { return }
        var expired: [(workID: String, chain: String?, finishedAt: Int64)] = []
        try connection.rows("SELECT work_id, chain, finished_at FROM events WHERE seq <= ?", .int(cut)) {
            expired.append(($0.text(0), $0.optionalText(1), $0.int(2)))
        }
        // Once for each chain, with the latest of its events.
        var chains: [String: Int64] = [:]
        for event in expired {
            if let chain = event.chain {
                chains[chain] = max(chains[chain] ?? event.finishedAt, event.finishedAt)
            } else if let record = try record(id: event.workID) {
                try pruneItems([record], lastFinishedBy: event.finishedAt)
            }
        }
        for (chain, finishedAt) in chains { try pruneChain(chain, lastFinishedBy: finishedAt) }
        try connection.run("DELETE FROM events WHERE seq <= ?", .int(cut))
    }

    /// A chain goes as a whole: the outputs of a finished step are needed until the last one has run.
    private func pruneChain(_ chain: String, lastFinishedBy limit: Int64) throws {
        if try isUnfinished(chain: chain) { return }
        if try pruneItems(try records(chainID: chain), lastFinishedBy: limit) { try forgetLinks(of: chain) }
    }

    func forgetLinks(of chain: String) throws {
        try connection.run("DELETE FROM chain_links WHERE chain = ?", .text(chain))
    }

    @discardableResult
    private func pruneItems(_ records: [WorkRecord], lastFinishedBy limit: Int64) throws -> Bool {
        let areDone = records.allSatisfy { record in
            record.finishedAt.map { $0.milliseconds <= limit } ?? false
        }
        guard areDone, let newest = records.map(\.status.generation).max() else { return false }
        for record in records { try connection.run("DELETE FROM work WHERE seq = ?", .int(record.sequence)) }
        let floor = try meta(MetaKey.generationFloor).flatMap { Int64($0) } ?? 0
        if newest > floor { try setMeta(MetaKey.generationFloor, "\(newest)") }
        return true
    }
}
