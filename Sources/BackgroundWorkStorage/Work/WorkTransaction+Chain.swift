import BackgroundWorkModel

extension WorkTransaction {
    /// Releases the steps after this one if it is complete, or ends steps that can no longer run.
    ///
    /// - Parameter count: how many members of the same step have ended so, all of them with the same flags.
    func advanceChain(after record: WorkRecord, _ outcome: WorkOutcome, count: Int = 1, now: WallTime) throws {
        guard let chain = record.chainSequence,
            var standing = try tables.chains.memberEnded(of: chain, as: outcome, count: count)
        else { return }
        if outcome == .succeeded {
            // A member that was released at its hand-off has been counted then.
            if !record.flags.contains(.hasReleased) {
                try close(count, like: record, hasLinks: standing.hasLinks, now: now)
            }
        } else if !record.flags.contains(.hasReleased), standing.blocked > 0 {
            standing = try endDependents(of: record, in: chain, outcome, now: now) ?? standing
        }
        guard settings.recordsTelemetry, standing.unfinished == 0, let id = record.chainID else { return }
        summary.endedChains.append(EndedChain(id: id, outcome: standing.worst.outcome ?? .succeeded))
    }

    /// The next steps need not wait for a request that was handed off, if it says so.
    func releaseAtHandOff(_ record: WorkRecord, now: WallTime) throws {
        guard let chain = record.chainSequence, record.flags.contains(.releasesAtHandOff),
            !record.flags.contains(.hasReleased), var current = try self.record(sequence: record.sequence)
        else { return }
        current.flags.insert(.hasReleased)
        try carry(&current)
        try close(1, like: record, hasLinks: try tables.chains.standing(of: chain)?.hasLinks ?? false, now: now)
    }

    /// The steps after this one need not wait for these members.
    private func close(_ count: Int, like record: WorkRecord, hasLinks: Bool, now: WallTime) throws {
        guard let chain = record.chainSequence, try tables.chains.close(count, in: record.stepIndex, of: chain) else {
            return
        }
        for next in try tables.chains.successors(of: record.stepIndex, in: chain, hasLinks: hasLinks) {
            if hasLinks {
                let others = try tables.chains.predecessors(of: next, in: chain)
                guard
                    try others.allSatisfy({ try $0 == record.stepIndex || tables.chains.isComplete($0, of: chain) })
                else { continue }
            }
            try release(next, of: chain, now: now)
        }
    }

    private func release(_ step: Int, of chain: Int64, now: WallTime) throws {
        let members = try tables.chains.members(of: step, in: chain)
        if members.isEmpty { return }
        try tables.chains.release(step, of: chain, now: now)
        var count = 0
        for sequence in members {
            guard let record = try memberToRelease(sequence, due: now),
                case .continues(let status) = record.status.after(.released)
            else { continue }
            var released = record
            released.status = status
            try removeExpiry(record)
            released.flags.remove(.waitsAgain)
            released.due = now.advanced(byMs: record.options.delayMs ?? 0)
            if record.isCarried || record.options.delayMs != nil { try carry(&released) }
            summary.changed.append(record.id)
            try wait(released, now: now)
            count += 1
        }
        if count > 0 { try tables.chains.unblock(count, of: chain) }
    }

    /// A member of a step that is released, if it is blocked. Most have no other rows, and reading the request is
    /// enough.
    private func memberToRelease(_ sequence: Int64, due: WallTime) throws -> WorkRecord? {
        guard var record = try tables.work.recordToRun(sequence, due: due, reader) else { return nil }
        let hasEnded = try connection.first(
            "SELECT 1 FROM events WHERE work = ? LIMIT 1", .int(sequence)
        ) { _ in true }
        if hasEnded != nil || record.isCarried { return try self.record(sequence: sequence) }
        record.status.state = .blocked
        return record
    }

    private func endDependents(
        of record: WorkRecord, in chain: Int64, _ outcome: WorkOutcome, now: WallTime
    ) throws -> ChainTables.Standing? {
        // Steps wait for earlier ones only.
        let waiting = try records(
            """
            SELECT \(WorkRecord.columnsOfItem) FROM members m CROSS JOIN items i ON i.seq = m.seq \
            WHERE m.chain = ? AND m.step > ? AND i.state = 0 ORDER BY m.step, m.position
            """,
            .int(chain), .int(record.stepIndex))
        if waiting.isEmpty { return nil }
        let message = "\(record.id) (\(record.workerName)), which this waits for, \(outcome.inWords)"
        let affected = try tables.chains.stepsAfter(record.stepIndex, in: chain)
        var standing: ChainTables.Standing?
        var count = 0
        for dependent in waiting where affected?.contains(dependent.stepIndex) ?? true {
            guard case .finishes(let status, let outcome) = dependent.status.after(.predecessorEnded(outcome)) else {
                continue
            }
            // Not by `apply`: that would walk the chain again for each dependent.
            let details = Details(message: message)
            try removeExpiry(dependent)
            try end(dependent, as: status, details)
            try appendEvent(for: dependent, attempt: status.attempt, outcome, details, now: now)
            summary.changed.append(dependent.id)
            standing = try tables.chains.memberEnded(of: chain, as: outcome)
            count += 1
        }
        if count > 0 { try tables.chains.unblock(count, of: chain) }
        return standing
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
