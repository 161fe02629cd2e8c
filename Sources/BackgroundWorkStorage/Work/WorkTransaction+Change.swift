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

        package init(
            message: String? = nil, outputJSON: String? = nil, due: WallTime? = nil, move: FileMove? = nil
        ) {
            self.message = message
            self.outputJSON = outputJSON
            self.due = due
            self.move = move
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
        case .refused: break
        case .goesOn(let status): try store(status, of: record, details, owner: owner, now: now)
        case .finishes(let status, let outcome): try finish(record, as: status, outcome, details, now: now)
        }
        if case .finishes(_, .cancelled) = transition, record.status.state != .blocked {
            if record.status.state == .running { summary.stoppedRunning.append(record.transferKey) }
            try connection.run(
                "INSERT INTO outbox (cancel_transfer) VALUES (?)", .text(record.transferKey.description))
            summary.hasOutbox = true
        }
        return transition
    }

    private func store(
        _ status: WorkStatus, of record: WorkRecord, _ details: Details, owner: Int64?, now: WallTime
    ) throws {
        let due = status.state == .pending ? details.due ?? now : record.due
        try connection.run(
            """
            UPDATE work SET state = ?, generation = ?, attempt = ?, deaths = ?, owner = ?, due = ?, message = ?, \
            move = ? WHERE seq = ?
            """,
            .int(status.state.rawValue), .int(status.generation), .int(status.attempt), .int(status.deaths),
            .optional(owner), .int(due.milliseconds), .optional(details.message ?? record.message),
            .optional(try (details.move ?? (status.state == .finishing ? record.move : nil)).map(StoredJSON.encode)),
            .int(record.sequence))
        if status.state == .pending { summary.mayHaveDueWork = true }
    }

    private func finish(
        _ record: WorkRecord, as status: WorkStatus, _ outcome: WorkOutcome, _ details: Details, now: WallTime
    ) throws {
        try connection.run(
            """
            UPDATE work SET state = ?, generation = ?, attempt = ?, deaths = ?, owner = NULL, message = ?, \
            output = ?, move = NULL, finished_at = ? WHERE seq = ?
            """,
            .int(status.state.rawValue), .int(status.generation), .int(status.attempt), .int(status.deaths),
            .optional(details.message), .optional(details.outputJSON), .int(now.milliseconds), .int(record.sequence))
        try appendEvent(for: record, attempt: status.attempt, outcome, details, now: now)
        if record.chainID != nil { try advanceChain(after: record, outcome, now: now) }
    }

    /// Releases the next step when this one is complete, or ends what can no longer run.
    private func advanceChain(after record: WorkRecord, _ outcome: WorkOutcome, now: WallTime) throws {
        guard let chain = record.chainID else { return }
        if outcome == .succeeded {
            let stepIsOpen =
                try connection.first(
                    "SELECT 1 FROM work WHERE chain = ? AND step = ? AND state <> 5 LIMIT 1", .text(chain),
                    .int(record.stepIndex)
                ) { _ in true } ?? false
            if stepIsOpen { return }
            let released = try connection.run(
                "UPDATE work SET state = 1, due = ? WHERE chain = ? AND step = ? AND state = 0",
                .int(now.milliseconds), .text(chain), .int(record.stepIndex + 1))
            if released > 0 { summary.mayHaveDueWork = true }
            return
        }
        let message = "\(record.id) (\(record.workerName)), which this waits for, \(outcome.inWords)"
        for dependent in try records(chainID: chain)
        where dependent.stepIndex > record.stepIndex && dependent.status.state == .blocked {
            let transition = dependent.status.after(.predecessorEnded(outcome))
            guard case .finishes(let status, let outcome) = transition else { continue }
            // Not by `apply`: that would walk the chain again for each dependent.
            try connection.run(
                "UPDATE work SET state = ?, message = ?, finished_at = ? WHERE seq = ?",
                .int(status.state.rawValue), .text(message), .int(now.milliseconds), .int(dependent.sequence))
            try appendEvent(
                for: dependent, attempt: status.attempt, outcome, Details(message: message), now: now)
        }
    }
}

extension WorkOutcome {
    /// For messages: "failed".
    fileprivate var inWords: String {
        switch self {
        case .succeeded: "succeeded"
        case .failed: "failed"
        case .cancelled: "was cancelled"
        case .skipped: "was skipped"
        }
    }
}
