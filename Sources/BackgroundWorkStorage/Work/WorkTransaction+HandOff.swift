import BackgroundWorkModel

extension WorkTransaction {
    /// A hand-off has failed: it is retried as a new generation, after `after` or the delay of the request's policy,
    /// or fails with its last attempt.
    package func retryHandOff(
        _ key: TransferKey, reason: String, after: Duration? = nil, attemptCap: Int? = nil, random: Double,
        now: WallTime
    ) throws -> WorkTransition {
        guard let record = try record(id: key.workID) else { return .refused(.outdated) }
        let decision = RetryDecision(
            reason: reason, attempt: max(1, record.status.attempt), policy: record.retryPolicy, after: after,
            attemptCap: attemptCap, random: random)
        switch decision {
        case .again(let delayMs):
            return try apply(
                .outcomeRetries, to: key, Details(message: reason, due: now.advanced(byMs: delayMs)), now: now)
        case .exhausted(let message):
            return try apply(.outcomeFinal(.failed), to: key, Details(message: message), now: now)
        }
    }
}

extension WorkTransaction {
    /// Stores what the next attempt of work that has been handed off begins with. Does nothing for another generation.
    package func keep(checkpoint json: String?, of key: TransferKey) throws {
        guard var record = try record(id: key.workID), record.status.generation == key.generation,
            !record.status.state.isFinished, record.checkpoint != json
        else { return }
        record.checkpoint = json
        try carry(&record)
        try noteTouch(of: record)
    }
}

extension WorkSnapshot {
    /// Whether the transfer of the item with this id is to be held. Read at each hand-off, so it does not read the
    /// whole item.
    package func holdsTransfer(of id: String) throws -> Bool {
        let flags = try connection.first(
            "SELECT w.flags | coalesce(a.flags, 0) FROM work w LEFT JOIN carried a ON a.seq = w.seq WHERE w.id = ?",
            .text(id)
        ) { WorkFlags(rawValue: Int($0.int(0))) }
        return flags?.contains(.holdsTransfer) ?? false
    }
}

extension WorkTransaction {
    /// Stores whether the transfer of an unfinished item is to be held, and returns the item as it was; `nil` if it
    /// is not known.
    package func hold(_ isHeld: Bool, transferOf id: String) throws -> WorkRecord? {
        guard let record = try record(id: id) else { return nil }
        guard record.flags.contains(.holdsTransfer) != isHeld, !record.status.state.isFinished,
            record.status.state != .finishing
        else { return record }
        try setHold(isHeld, record)
        summary.changed.append(id)
        return record
    }

    private func setHold(_ isHeld: Bool, _ record: WorkRecord) throws {
        var held = record
        held.flags = isHeld ? record.flags.union(.holdsTransfer) : record.flags.subtracting(.holdsTransfer)
        try carry(&held)
        try noteTouch(of: held)
    }
}

extension WorkTransaction {
    /// Requests a transfer's cancellation, in the transaction of the change that causes it.
    package func requestCancellation(of key: TransferKey) throws {
        try connection.run("INSERT INTO outbox (cancel_transfer) VALUES (?)", .text(key.description))
        summary.hasOutbox = true
    }

    package func removeFromOutbox(_ sequence: Int64) throws {
        try connection.run("DELETE FROM outbox WHERE seq = ?", .int(sequence))
    }
}

extension WorkSnapshot {
    /// The cancellations that the daemon has not confirmed, in order.
    package func outbox() throws -> [(sequence: Int64, key: TransferKey)] {
        var rows: [(sequence: Int64, key: TransferKey)] = []
        try connection.rows("SELECT seq, cancel_transfer FROM outbox ORDER BY seq") { row in
            if let key = TransferKey(row.text(1)) { rows.append((row.int(0), key)) }
        }
        return rows
    }
}
