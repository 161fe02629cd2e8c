import BackgroundWorkFiles
import BackgroundWorkModel

extension WorkTransaction {
    /// What a change brings with it, beside the new status.
    package struct Details: Sendable {
        package var message: String?
        package var outputJSON: String?
        /// When the next attempt is due; now, if not said.
        package var due: WallTime?
        package var move: FileMove?
        /// When a hand-off's outcome must have come.
        package var handOffExpires: WallTime?

        package init(
            message: String? = nil, outputJSON: String? = nil, due: WallTime? = nil, move: FileMove? = nil,
            handOffExpires: WallTime? = nil
        ) {
            self.message = message
            self.outputJSON = outputJSON
            self.due = due
            self.move = move
            self.handOffExpires = handOffExpires
        }
    }

    /// Applies a change to the item of that id, if the generation is still the current one.
    ///
    /// A finish writes its event and releases or ends what depends on it, in this same transaction.
    package func apply(
        _ change: WorkChange, to key: TransferKey, _ details: Details = Details(), owner: Int64? = nil, now: WallTime
    ) throws -> WorkTransition {
        guard let record = try record(id: key.workID) else { return .refused(.outdated) }
        return try apply(change, to: record, generation: key.generation, details, owner: owner, now: now)
    }

    /// Applies a change to an item as it was read in this transaction, whatever its generation.
    package func apply(
        _ change: WorkChange, to record: WorkRecord, _ details: Details = Details(), owner: Int64? = nil, now: WallTime
    ) throws -> WorkTransition {
        try apply(change, to: record, generation: nil, details, owner: owner, now: now)
    }

    func apply(
        _ change: WorkChange, to record: WorkRecord, message: String, now: WallTime
    ) throws -> WorkTransition {
        try apply(change, to: record, generation: nil, Details(message: message), owner: nil, now: now)
    }

    func apply(
        _ change: WorkChange, to record: WorkRecord, generation: Int64?, _ details: Details, owner: Int64?,
        now: WallTime
    ) throws -> WorkTransition {
        let transition = record.status.after(change, generation: generation)
        switch transition {
        case .refused: return transition
        case .goesOn(let status):
            try store(status, of: record, details, owner: owner, now: now)
            if status.state == .handedOff { try releaseAtHandOff(record, now: now) }
            summary.mayHaveLessDueWork = true
        case .finishes(let status, let outcome):
            if outcome == .cancelled { try stop(record) }
            try finish(record, as: status, outcome, details, recurs: change != .tooLateToStart, now: now)
        }
        summary.changed.append(record.id)
        return transition
    }

    /// What was cancelled may run, and may have left a transfer with the daemon. What was never claimed has not.
    private func stop(_ record: WorkRecord) throws {
        guard record.startedAt != nil || record.status.state == .handedOff else { return }
        if record.status.state == .running { summary.stoppedRunning.append(record.transferKey) }
        try requestCancellation(of: record.transferKey)
    }

    private func store(
        _ status: WorkStatus, of record: WorkRecord, _ details: Details, owner: Int64?, now: WallTime
    ) throws {
        let due = status.state == .pending ? details.due ?? now : record.due
        var options = record.options
        options.handOffExpires = status.state == .handedOff ? details.handOffExpires : nil
        try connection.run(
            """
            UPDATE work SET state = ?, generation = ?, attempt = ?, deaths = ?, owner = ?, due = ?, message = ?, \
            move = ?, options = ?, expires = ?, finished_at = NULL WHERE seq = ?
            """,
            .int(status.state.rawValue), .int(status.generation), .int(status.attempt), .int(status.deaths),
            .optional(owner), .int(due.milliseconds), .optional(details.message ?? record.message),
            .optional(
                try (details.move ?? (status.state == .finishing ? record.move : nil)).map {
                    try JSONCoding.text(of: $0)
                }),
            .optional(options.isEmpty ? nil : try StoredJSON.encode(options)),
            .optional(options.expiry(in: status)?.milliseconds), .int(record.sequence))
        if status.state == .pending { summary.mayHaveDueWork = true }
    }

    private func finish(
        _ record: WorkRecord, as status: WorkStatus, _ outcome: WorkOutcome, _ details: Details, recurs: Bool,
        now: WallTime
    ) throws {
        if recurs, outcome != .cancelled, let next = nextOccurrence(of: record, now: now) {
            try wait(for: next, record, after: status, details)
        } else {
            try connection.run(
                """
                UPDATE work SET state = ?, generation = ?, attempt = ?, deaths = ?, owner = NULL, message = ?, \
                output = ?, move = NULL, finished_at = ?, expires = NULL, checkpoint = NULL, watched = NULL \
                WHERE seq = ?
                """,
                .int(status.state.rawValue), .int(status.generation), .int(status.attempt), .int(status.deaths),
                .optional(details.message), .optional(details.outputJSON), .int(now.milliseconds),
                .int(record.sequence))
            if record.trigger?.watchedPath != nil { summary.watchedPathsChanged = true }
        }
        try appendEvent(for: record, attempt: status.attempt, outcome, details, now: now)
        if record.chainID != nil { try advanceChain(after: record, outcome, now: now) }
        if record.flags.contains(.isFollowed) { try takeUpAppended(after: record, now: now) }
    }

    /// The occurrence that follows, unless its time would lie past the deadline.
    private func nextOccurrence(of record: WorkRecord, now: WallTime) -> Occurrence? {
        guard let trigger = record.trigger,
            var next = settings.triggers.next(
                of: trigger, planned: record.planned ?? record.due, started: record.startedAt ?? now)
        else { return nil }
        if let triggered = record.triggeredAt { next.due = triggered }
        if let deadline = record.options.deadline,
            now >= deadline || (next.due != .distantFuture && next.due >= deadline)
        {
            return nil
        }
        return next
    }

    private func wait(
        for next: Occurrence, _ record: WorkRecord, after status: WorkStatus, _ details: Details
    ) throws {
        let waiting = status.recurring
        try connection.run(
            """
            UPDATE work SET state = ?, generation = ?, attempt = 0, deaths = 0, owner = NULL, due = ?, planned = ?, \
            occurrence = occurrence + 1, message = ?, output = ?, move = NULL, expires = ?, triggered_at = NULL, \
            checkpoint = NULL, progress = NULL WHERE seq = ?
            """,
            .int(waiting.state.rawValue), .int(waiting.generation), .int(next.due.milliseconds),
            .int(next.planned.milliseconds), .optional(details.message), .optional(details.outputJSON),
            .optional(record.options.expiry(in: waiting)?.milliseconds), .int(record.sequence))
        summary.mayHaveDueWork = true
    }
}
