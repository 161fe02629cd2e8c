import BackgroundWorkModel

extension WorkTransaction {
    /// Notes what each step waits for, if that is not simply the one before.
    func storeLinks(of chain: ChainSteps, id: String) throws {
        guard chain.links != nil else { return }
        for step in chain.steps.indices {
            for predecessor in chain.predecessors(of: step) {
                try connection.run(
                    "INSERT INTO chain_links (chain, predecessor, step) VALUES (?, ?, ?)", .text(id),
                    .int(predecessor), .int(step))
            }
        }
    }

    /// The steps whose outputs a step finds.
    func predecessors(of step: Int, in chain: String) throws -> [Int] {
        guard try hasLinks(chain) else { return step == 0 ? [] : [step - 1] }
        var steps: [Int] = []
        try connection.rows(
            "SELECT predecessor FROM chain_links WHERE chain = ? AND step = ? ORDER BY predecessor", .text(chain),
            .int(step)
        ) { steps.append(Int($0.int(0))) }
        return steps
    }

    /// The members that a blocked one waits for.
    package func unfinishedPredecessors(of record: WorkRecord) throws -> [String] {
        guard let chain = record.chainID else { return [] }
        var ids: [String] = []
        for step in try predecessors(of: record.stepIndex, in: chain) {
            try connection.rows(
                "SELECT id FROM work WHERE chain = ? AND state IN (0, 1, 2, 3, 4) AND step = ? ORDER BY position",
                .text(chain), .int(step)
            ) { ids.append($0.text(0)) }
        }
        return ids
    }

    /// Releases the steps after this one if it is complete, or ends what can no longer run.
    func advanceChain(after record: WorkRecord, _ outcome: WorkOutcome, now: WallTime) throws {
        guard let chain = record.chainID else { return }
        if outcome == .succeeded {
            try release(after: record.stepIndex, of: chain, now: now)
        } else if !record.flags.contains(.hasReleased) {
            try endDependents(of: record, in: chain, outcome, now: now)
        }
        if settings.recordsTelemetry { try noteEnd(of: chain) }
    }

    /// A request that was handed off need not be waited for, if it says so.
    func releaseAtHandOff(_ record: WorkRecord, now: WallTime) throws {
        guard let chain = record.chainID, record.flags.contains(.releasesAtHandOff),
            !record.flags.contains(.hasReleased)
        else { return }
        try connection.run(
            "UPDATE work SET flags = flags | ? WHERE seq = ?", .int(WorkFlags.hasReleased.rawValue),
            .int(record.sequence))
        try release(after: record.stepIndex, of: chain, now: now)
    }

    private func release(after step: Int, of chain: String, now: WallTime) throws {
        if try !isComplete(step, of: chain) { return }
        for next in try successors(of: step, in: chain) {
            let others = try predecessors(of: next, in: chain)
            guard try others.allSatisfy({ try $0 == step || isComplete($0, of: chain) }) else { continue }
            try release(step: next, of: chain, now: now)
        }
    }

    private func release(step: Int, of chain: String, now: WallTime) throws {
        // Most members have no delay of their own, and are released by one statement.
        var released = 0
        try connection.rows(
            """
            UPDATE work SET state = 1, due = ? WHERE chain = ? AND step = ? AND state = 0 AND options IS NULL \
            RETURNING id
            """,
            .int(now.milliseconds), .text(chain), .int(step)
        ) {
            summary.changed.append($0.text(0))
            released += 1
        }
        let special = try records(
            "SELECT \(WorkRecord.columns) FROM work WHERE chain = ? AND step = ? AND state = 0", .text(chain),
            .int(step))
        for record in special {
            let due = now.advanced(byMs: record.options.delayMs ?? 0)
            _ = try apply(.released, to: record, generation: nil, Details(due: due), owner: nil, now: now)
            released += 1
        }
        if released > 0 { summary.mayHaveDueWork = true }
    }

    /// Whether nothing of the step is open: all have succeeded, or released what follows when they were handed off.
    private func isComplete(_ step: Int, of chain: String) throws -> Bool {
        try connection.first(
            """
            SELECT 1 FROM work WHERE chain = ? AND state IN (0, 1, 2, 3, 4, 6, 7, 8) AND step = ? AND flags & 2 = 0 \
            LIMIT 1
            """,
            .text(chain), .int(step)
        ) { _ in true } == nil
    }

    private func hasLinks(_ chain: String) throws -> Bool {
        try connection.first("SELECT 1 FROM chain_links WHERE chain = ? LIMIT 1", .text(chain)) { _ in true } ?? false
    }

    private func successors(of step: Int, in chain: String) throws -> [Int] {
        guard try hasLinks(chain) else { return [step + 1] }
        var steps: [Int] = []
        try connection.rows(
            "SELECT step FROM chain_links WHERE chain = ? AND predecessor = ? ORDER BY step", .text(chain), .int(step)
        ) { steps.append(Int($0.int(0))) }
        return steps
    }

    /// The steps that cannot begin without this one, in order.
    func stepsAfter(_ step: Int, in chain: String) throws -> Set<Int>? {
        guard try hasLinks(chain) else { return nil }
        var found: Set<Int> = []
        var open = [step]
        while let next = open.popLast() {
            for successor in try successors(of: next, in: chain) where found.insert(successor).inserted {
                open.append(successor)
            }
        }
        return found
    }

    private func endDependents(
        of record: WorkRecord, in chain: String, _ outcome: WorkOutcome, now: WallTime
    ) throws {
        // Steps wait for earlier ones only.
        let waiting = try records(
            "SELECT \(WorkRecord.columns) FROM work WHERE chain = ? AND state = 0 AND step > ? ORDER BY step, position",
            .text(chain), .int(record.stepIndex))
        if waiting.isEmpty { return }
        let message = "\(record.id) (\(record.workerName)), which this waits for, \(outcome.inWords)"
        let affected = try stepsAfter(record.stepIndex, in: chain)
        for dependent in waiting where affected?.contains(dependent.stepIndex) ?? true {
            let transition = dependent.status.after(.predecessorEnded(outcome))
            guard case .finishes(let status, let outcome) = transition else { continue }
            // Not by `apply`: that would walk the chain again for each dependent.
            try connection.run(
                "UPDATE work SET state = ?, message = ?, finished_at = ?, expires = NULL WHERE seq = ?",
                .int(status.state.rawValue), .text(message), .int(now.milliseconds), .int(dependent.sequence))
            try appendEvent(
                for: dependent, attempt: status.attempt, outcome, Details(message: message), now: now)
            summary.changed.append(dependent.id)
        }
    }

    private func noteEnd(of chain: String) throws {
        if try isUnfinished(chain: chain) { return }
        let worst = try connection.first(
            "SELECT max(state) FROM work WHERE chain = ?", .text(chain)
        ) { WorkState(rawValue: Int($0.int(0))) }
        guard let outcome = worst.flatMap({ $0 }).flatMap(WorkOutcome.init) else { return }
        summary.endedChains.append(EndedChain(id: chain, outcome: outcome))
    }

    func isUnfinished(chain: String) throws -> Bool {
        try connection.first("SELECT 1 FROM work WHERE chain = ? AND state < 5 LIMIT 1", .text(chain)) { _ in true }
            ?? false
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

    fileprivate init?(_ state: WorkState) {
        switch state {
        case .succeeded: self = .succeeded
        case .failed: self = .failed
        case .cancelled: self = .cancelled
        case .skipped: self = .skipped
        case .blocked, .pending, .running, .handedOff, .finishing: return nil
        }
    }
}
