import BackgroundWorkModel

extension WorkTransaction {
    func appendEvent(
        for record: WorkRecord, attempt: Int, _ outcome: WorkOutcome, _ details: Details, now: WallTime
    ) throws {
        try connection.run(
            """
            INSERT INTO events (work_id, worker, chain, step, occurrence, attempt, outcome, message, output, \
            finished_at) VALUES (?, ?, ?, ?, 0, ?, ?, ?, ?, ?)
            """,
            .text(record.id), .text(record.workerName), .optional(record.chainID), .int(record.stepIndex),
            .int(attempt), .text(outcome.rawValue), .optional(details.message), .optional(details.outputJSON),
            .int(now.milliseconds))
        let sequence = connection.lastInsertedRowID
        summary.events.append(
            TaskCompletionEvent(
                sequence: sequence, workID: record.id, taskName: record.workerName,
                chainID: record.chainID, stepIndex: record.stepIndex, occurrence: 0, attempt: attempt,
                outcome: outcome, message: details.message, outputJSON: details.outputJSON, finishedAt: now.date))
        try pruneIfDue(after: sequence)
    }

    /// How often the events are pruned: each time this many have been written.
    private static let pruningInterval: Int64 = 256

    /// Prunes when it is time for it, so that each event pays for the removal of one.
    func pruneIfDue(after sequence: Int64) throws {
        if sequence % Self.pruningInterval == 0 { try prune(newest: sequence) }
    }

    /// Deletes the events beyond the retention limit, and the finished items whose last word they were.
    ///
    /// The newest event always stays, since its number is where the next one counts on.
    private func prune(newest: Int64) throws {
        let cut = newest - Int64(max(1, retainedEvents))
        guard cut > 0 else { return }
        var expired: [(workID: String, chain: String?, finishedAt: Int64)] = []
        try connection.rows("SELECT work_id, chain, finished_at FROM events WHERE seq <= ?", .int(cut)) {
            expired.append(($0.text(0), $0.optionalText(1), $0.int(2)))
        }
        for event in expired {
            if let chain = event.chain {
                try pruneChain(chain, lastFinishedBy: event.finishedAt)
            } else if let record = try record(id: event.workID) {
                try pruneItems([record], lastFinishedBy: event.finishedAt)
            }
        }
        try connection.run("DELETE FROM events WHERE seq <= ?", .int(cut))
    }

    /// A chain goes as a whole: the outputs of a finished step are needed until the last one has run.
    private func pruneChain(_ chain: String, lastFinishedBy limit: Int64) throws {
        try pruneItems(try records(chainID: chain), lastFinishedBy: limit)
    }

    private func pruneItems(_ records: [WorkRecord], lastFinishedBy limit: Int64) throws {
        let areDone = records.allSatisfy { record in
            record.finishedAt.map { $0.milliseconds <= limit } ?? false
        }
        guard areDone, let newest = records.map(\.status.generation).max() else { return }
        for record in records { try connection.run("DELETE FROM work WHERE seq = ?", .int(record.sequence)) }
        let floor = try meta(MetaKey.generationFloor).flatMap { Int64($0) } ?? 0
        if newest > floor { try setMeta(MetaKey.generationFloor, "\(newest)") }
    }
}
