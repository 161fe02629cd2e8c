import BackgroundWorkModel

extension WorkTransaction {
    private struct Candidate {
        var sequence: Int64
        var due: Int64
        var lane: Lane
    }

    /// A run of the index of due work: one priority, one lane.
    struct Shelf {
        var priority: WorkPriority
        var number: Int64
        var lane: Lane
    }

    /// Takes due items for an owner, the most urgent and then the earliest due first, and ends what is too late.
    ///
    /// Reads as many places in the index as there are priorities and lanes with waiting work, and none of what is due
    /// later or may not run now.
    package func claim(_ rules: ClaimRules) throws -> Claim {
        var claim = Claim()
        try expire(rules, &claim)
        let paused = try pausedQueues()
        var quota = try quota(rules)
        try lookForSuspects(rules, paused, quota, &claim)
        // They run alone, one after the other, before anything else: the longer they wait, the more deaths they may meet.
        if claim.suspectIsDue { return claim }
        let shelves = try openShelves(rules, paused, &claim)
        var taken: [Candidate] = []
        if rules.reservedForOldest > 0, Set(shelves.map(\.priority)).count > 1 {
            taken += try pick(rules.reservedForOldest, from: shelves, except: [], rules, &quota, &claim)
        }
        for priority in WorkPriority.allCases.reversed() where taken.count < rules.limit {
            let ofPriority = shelves.filter { $0.priority == priority }
            if ofPriority.isEmpty { continue }
            let chosen = Set(taken.map(\.sequence))
            taken += try pick(
                rules.limit - taken.count, from: ofPriority, except: chosen, rules, &quota, &claim)
        }
        claim.work = try take(taken.map(\.sequence), rules)
        try noteStarts(of: taken.map(\.lane), rules)
        try lookAtRates(rules, &claim)
        if taken.count < rules.limit { try lookAhead(shelves, rules.now, &claim) }
        return claim
    }

    /// Takes one suspect. The caller runs nothing else meanwhile.
    package func claimSuspect(_ rules: ClaimRules) throws -> ClaimedWork? {
        let paused = try pausedQueues()
        let quota = try quota(rules)
        for (sequence, lane) in try dueSuspects(rules.now) where mayRun(lane, rules, paused) && quota.left(lane) > 0 {
            try noteStarts(of: [lane], rules)
            return try take([sequence], rules).first
        }
        return nil
    }

    private func quota(_ rules: ClaimRules) throws -> ClaimQuota {
        ClaimQuota(
            limits: rules.limits, running: rules.limits.countRunning ? try runningByLane() : [],
            rates: try rateBudgets(rules.limits, now: rules.now))
    }

    private func mayRun(_ lane: Lane, _ rules: ClaimRules, _ paused: Set<String>) -> Bool {
        !paused.contains(lane.queue) && rules.device.unmet(lane.constraints).isEmpty
            && rules.limits.onlyWorkers?.contains(lane.worker) != false
    }

    private func lookForSuspects(
        _ rules: ClaimRules, _ paused: Set<String>, _ quota: ClaimQuota, _ claim: inout Claim
    ) throws {
        for (_, lane) in try dueSuspects(rules.now) {
            if mayRun(lane, rules, paused) {
                if quota.left(lane) > 0 {
                    claim.suspectIsDue = true
                } else {
                    note(lane, heldBackBy: quota, &claim)
                }
            }
            claim.missing.formUnion(rules.device.unmet(lane.constraints))
        }
        let next = try connection.first(
            "SELECT due FROM work WHERE state = 1 AND deaths >= 2 AND due > ? ORDER BY due LIMIT 1",
            .int(rules.now.milliseconds)
        ) { WallTime(milliseconds: $0.int(0)) }
        if let next { claim.look(at: next) }
    }

    private func dueSuspects(_ now: WallTime) throws -> [(Int64, Lane)] {
        var found: [(Int64, Int64)] = []
        try connection.rows(
            "SELECT seq, lane FROM work WHERE state = 1 AND deaths >= 2 AND due <= ? ORDER BY due, seq LIMIT 64",
            .int(now.milliseconds)
        ) { found.append(($0.int(0), $0.int(1))) }
        return try found.map { ($0.0, try lanes.lane($0.1)) }
    }

    /// The shelves with waiting work that may run now. One seek for each: an index on (priority, due) alone would be
    /// scanned past all that may not.
    private func openShelves(_ rules: ClaimRules, _ paused: Set<String>, _ claim: inout Claim) throws -> [Shelf] {
        try shelves().filter { shelf in
            if mayRun(shelf.lane, rules, paused) { return true }
            if !paused.contains(shelf.lane.queue) {
                claim.missing.formUnion(rules.device.unmet(shelf.lane.constraints))
            }
            return false
        }
    }

    /// All shelves with waiting work, the most urgent first.
    func shelves() throws -> [Shelf] {
        var found: [Shelf] = []
        for priority in WorkPriority.allCases.reversed() {
            var last: Int64 = -1
            while let number = try connection.first(
                Self.nextLane, .int(priority.rawValue), .int(last), body: { $0.int(0) })
            {
                last = number
                found.append(Shelf(priority: priority, number: number, lane: try lanes.lane(number)))
            }
        }
        return found
    }

    /// The next lane of a priority that has waiting work.
    static let nextLane = """
        SELECT lane FROM work WHERE state = 1 AND deaths < 2 AND priority = ? AND lane > ? ORDER BY lane LIMIT 1
        """

    /// The earliest due items of a shelf.
    static let dueOnShelf = """
        SELECT seq, due FROM work WHERE state = 1 AND deaths < 2 AND priority = ? AND lane = ? AND due <= ? \
        ORDER BY due, seq LIMIT ?
        """

    /// When the next item of a shelf falls due.
    static let nextOnShelf = """
        SELECT due FROM work WHERE state = 1 AND deaths < 2 AND priority = ? AND lane = ? AND due > ? \
        ORDER BY due, seq LIMIT 1
        """

    /// What is too late, or waits too long for its outcome.
    static let expired = """
        SELECT \(WorkRecord.columns) FROM work WHERE expires IS NOT NULL AND expires <= ? ORDER BY expires LIMIT 256
        """

    /// The earliest due items of several shelves together, as far as the limits allow.
    private func pick(
        _ count: Int, from shelves: [Shelf], except chosen: Set<Int64>, _ rules: ClaimRules, _ quota: inout ClaimQuota,
        _ claim: inout Claim
    ) throws -> [Candidate] {
        var candidates: [Candidate] = []
        for shelf in shelves {
            let left = quota.left(shelf.lane)
            // One more than may be taken shows whether the limit holds something back.
            let wanted = min(count, left == 0 ? 1 : left + (left < count ? 1 : 0)) + chosen.count
            try connection.rows(
                Self.dueOnShelf, .int(shelf.priority.rawValue), .int(shelf.number), .int(rules.now.milliseconds),
                .int(wanted)
            ) { row in
                let sequence = row.int(0)
                if !chosen.contains(sequence) {
                    candidates.append(Candidate(sequence: sequence, due: row.int(1), lane: shelf.lane))
                }
            }
        }
        if shelves.count > 1 { candidates.sort { ($0.due, $0.sequence) < ($1.due, $1.sequence) } }
        var taken: [Candidate] = []
        for candidate in candidates where taken.count < count {
            if quota.left(candidate.lane) > 0 {
                quota.take(candidate.lane)
                taken.append(candidate)
            } else {
                note(candidate.lane, heldBackBy: quota, &claim)
            }
        }
        return taken
    }

    private func note(_ lane: Lane, heldBackBy quota: ClaimQuota, _ claim: inout Claim) {
        if quota.isFull(lane) { claim.isHeldBackByLimits = true } else { claim.rateLimited.insert(lane.queue) }
    }

    private func take(_ sequences: [Int64], _ rules: ClaimRules) throws -> [ClaimedWork] {
        if sequences.isEmpty { return [] }
        let list = "[\(sequences.map(String.init).joined(separator: ","))]"
        var records: [Int64: WorkRecord] = [:]
        try connection.rows(
            """
            UPDATE work SET state = 2, attempt = attempt + 1, owner = ?1, started_at = ?2, expires = NULL \
            WHERE seq IN (SELECT value FROM json_each(?3)) RETURNING \(WorkRecord.columns)
            """,
            .int(rules.owner), .int(rules.now.milliseconds), .text(list)
        ) { row in
            let record = WorkRecord(row)
            records[record.sequence] = record
        }
        summary.mayHaveLessDueWork = true
        // RETURNING gives rows in no particular order (https://sqlite.org/lang_returning.html).
        return try sequences.compactMap { records[$0] }.map { record in
            summary.changed.append(record.id)
            return ClaimedWork(
                record: record, lane: try lane(of: record), previousOutputs: try previousOutputs(of: record))
        }
    }

    private func previousOutputs(of record: WorkRecord) throws -> [String] {
        guard let chain = record.chainID else { return [] }
        var outputs: [String] = []
        for step in try predecessors(of: record.stepIndex, in: chain) {
            try connection.rows(
                """
                SELECT output FROM work WHERE chain = ? AND state = 5 AND step = ? AND output IS NOT NULL \
                ORDER BY position
                """,
                .text(chain), .int(step)
            ) { outputs.append($0.text(0)) }
        }
        return outputs
    }

    private func lookAhead(_ shelves: [Shelf], _ now: WallTime, _ claim: inout Claim) throws {
        for shelf in shelves {
            let next = try connection.first(
                Self.nextOnShelf, .int(shelf.priority.rawValue), .int(shelf.number), .int(now.milliseconds)
            ) { WallTime(milliseconds: $0.int(0)) }
            if let next { claim.look(at: next) }
        }
        let expiry = try connection.first(
            "SELECT expires FROM work WHERE expires IS NOT NULL ORDER BY expires LIMIT 1"
        ) { WallTime(milliseconds: $0.int(0)) }
        if let expiry { claim.look(at: expiry) }
    }
}
