import BackgroundWorkModel

extension WorkTransaction {
    private struct Candidate {
        var sequence: Int64
        var due: WallTime
        var claimGroup: ClaimGroup
        var limits: [LimitKey]
        /// Whether the limits allow it to start at once.
        var mayBegin: Bool
    }

    /// Claims due items for the scheduler behind this writer, by priority and then the earliest due first, and ends
    /// items that are too late. The last step of a transaction, if there may be due work and a slot for it.
    ///
    /// Reads one position in the index for each priority and claim group with waiting work, and none of the items
    /// that are due later or may not run now.
    func claimDueWork() throws {
        guard mayHaveDueWork, let rules = round.rules else { return }
        var claim = Claim()
        // Late items are ended even if there is no slot for any item.
        guard try expire(rules, &claim) else {
            // More items are late and must not start: the next claim ends them, and follows at once.
            summary.claim = claim
            return
        }
        guard round.room > 0 else {
            // Held-back work may start nevertheless when other schedulers leave more of a limit.
            if try limits(rules).countRunning { _ = try quota(rules) }
            if let expiry = try nextExpiry() { claim.look(at: expiry) }
            summary.claim = claim
            return
        }
        isHeldBack = false
        var quota = try quota(rules, rates: rateBudgets(limits(rules), now: rules.now))
        try lookForSuspects(rules, &quota, &claim)
        // They run alone, one after the other, before anything else: the longer they wait, the more process deaths
        // may be counted against them.
        if claim.suspectIsDue {
            if rules.isIdle, round.work.isEmpty { try claimSuspect(rules, &quota) }
            summary.claim = claim
            return
        }
        let limit = round.room
        let priorityGroups = try openPriorityGroups(rules, &claim)
        var chosen: [Candidate] = []
        let reserved = min(rules.reservedForOldest, limit)
        if reserved > 0, Set(priorityGroups.map(\.priority)).count > 1 {
            chosen += try pick(reserved, from: priorityGroups, except: [], rules, &quota, &claim)
        }
        for priority in WorkPriority.allCases.reversed() where chosen.count < limit {
            let ofPriority = priorityGroups.filter { $0.priority == priority }
            if ofPriority.isEmpty { continue }
            chosen += try pick(
                limit - chosen.count, from: ofPriority, except: Set(chosen.map(\.sequence)), rules, &quota, &claim)
        }
        let taken = try take(chosen, rules)
        try noteStarts(of: chosen.prefix(taken).map(\.claimGroup), rules)
        try lookAtRates(rules, &claim)
        mayHaveDueWork = chosen.count == limit || taken < chosen.count
        isHeldBack = claim.isHeldBackByLimits
        if chosen.count < limit { try lookAhead(priorityGroups, rules.now, &claim) }
        summary.claim = claim
    }

    // MARK: At once

    /// Claims a pending item without queueing it, if it may start now and nothing waits before it.
    func beginsAtOnce(_ record: WorkRecord, now: WallTime) throws -> Bool {
        guard !mayHaveDueWork, round.room > 0, record.due <= now, let rules = round.rules,
            !record.status.isSuspect, record.isIdempotent || round.freeSlots > 0, !isTooLate(record, now: now),
            try round.admits(record.claimGroupNumber, { try admits(record.claimGroupNumber, $0) }),
            let limits = try takeSlot(for: record, rules)
        else { return false }
        return try begin(record, owner: rules.owner, now: now, under: limits)
    }

    /// Takes a slot under each concurrency limit that applies to an item, and returns those limits; `nil` when there
    /// is no free slot.
    private func takeSlot(for record: WorkRecord, _ rules: ClaimRules) throws -> [LimitKey]? {
        guard try limits(rules).countRunning else { return [] }
        // Work that already waits for such a slot goes first.
        if isHeldBack { return nil }
        if round.quota == nil { round.quota = try quota(rules) }
        let claimGroup = try claimGroups.claimGroup(record.claimGroupNumber)
        guard let left = round.quota?.left(claimGroup), left > 0,
            record.isIdempotent || round.quota?.mayBegin(claimGroup) == true
        else { return nil }
        round.quota?.take(claimGroup)
        return round.quota?.keys(of: claimGroup)
    }

    private func isTooLate(_ record: WorkRecord, now: WallTime) -> Bool {
        record.options.expiry(in: record.status).map { $0 <= now } ?? false
    }

    private func admits(_ number: Int64, _ rules: ClaimRules) throws -> Bool {
        let claimGroup = try claimGroups.claimGroup(number)
        let limits = try limits(rules)
        // Starts under a rate limit are counted by the claim.
        return try mayRun(claimGroup, rules) && limits.queues[claimGroup.queue]?.rate == nil
    }

    /// - Parameter record: pending, and no longer in the queue.
    private func begin(
        _ record: consuming WorkRecord, owner: Int64, now: WallTime, under limits: [LimitKey] = []
    ) throws -> Bool {
        guard case .continues(let status) = record.status.after(.claimed) else { return false }
        record.status = status
        record.owner = owner
        record.startedAt = now
        tables.runs.insert(record, owner: owner, now: now)
        summary.changed.append(record.id)
        summary.scheduleChanged = true
        let outputs = record.chainSequence == nil ? [] : try previousOutputs(of: record)
        round.take(
            ClaimedWork(
                record: record, claimGroup: try claimGroups.claimGroup(record.claimGroupNumber),
                previousOutputs: outputs, limits: limits))
        return true
    }

    // MARK: Waiting work

    /// What the limits leave, given what runs now; the runner is informed of it.
    private func quota(_ rules: ClaimRules, rates: [String: Int] = [:]) throws -> ClaimQuota {
        let limits = try limits(rules)
        let quota = ClaimQuota(
            limits: limits, running: limits.countRunning ? try runningByClaimGroup(of: rules.owner) : [],
            rates: rates, ahead: rules.ahead, leaving: rules.leaving)
        summary.permits = quota.permits
        return quota
    }

    private func mayRun(_ claimGroup: ClaimGroup, _ rules: ClaimRules) throws -> Bool {
        try !paused().contains(claimGroup.queue) && rules.device.unmet(claimGroup.constraints).isEmpty
            && rules.limits.onlyWorkers?.contains(claimGroup.worker) != false
    }

    private func lookForSuspects(_ rules: ClaimRules, _ quota: inout ClaimQuota, _ claim: inout Claim) throws {
        for suspect in try tables.due.suspects(now: rules.now) {
            let claimGroup = try claimGroups.claimGroup(suspect.claimGroup)
            if try mayRun(claimGroup, rules) {
                if quota.left(claimGroup) > 0 {
                    claim.suspectIsDue = true
                } else {
                    note(claimGroup, heldBackBy: &quota, &claim)
                }
            }
            claim.missing.formUnion(rules.device.unmet(claimGroup.constraints))
        }
        if let next = try tables.due.nextSuspect(after: rules.now) { claim.look(at: next.due) }
    }

    /// Claims one suspect. Nothing else runs meanwhile.
    private func claimSuspect(_ rules: ClaimRules, _ quota: inout ClaimQuota) throws {
        for suspect in try tables.due.suspects(now: rules.now) {
            let claimGroup = try claimGroups.claimGroup(suspect.claimGroup)
            guard try mayRun(claimGroup, rules), quota.mayBegin(claimGroup), quota.left(claimGroup) > 0 else {
                continue
            }
            let candidate = Candidate(
                sequence: suspect.sequence, due: suspect.due, claimGroup: claimGroup,
                limits: quota.keys(of: claimGroup), mayBegin: true)
            if try take([candidate], rules) > 0 { try noteStarts(of: [claimGroup], rules) }
            return
        }
    }

    /// The priority groups with waiting work that may run now. One seek for each: an index on (priority, due) alone
    /// would be scanned past all items that may not run.
    private func openPriorityGroups(_ rules: ClaimRules, _ claim: inout Claim) throws -> [PriorityGroup] {
        try priorityGroups().filter { priorityGroup in
            if try mayRun(priorityGroup.claimGroup, rules) { return true }
            if try !paused().contains(priorityGroup.claimGroup.queue) {
                claim.missing.formUnion(rules.device.unmet(priorityGroup.claimGroup.constraints))
            }
            return false
        }
    }

    /// The earliest due items of several priority groups together, as far as the limits allow.
    private func pick(
        _ count: Int, from priorityGroups: [PriorityGroup], except chosen: Set<Int64>, _ rules: ClaimRules,
        _ quota: inout ClaimQuota,
        _ claim: inout Claim
    ) throws -> [Candidate] {
        var candidates: [Candidate] = []
        for priorityGroup in priorityGroups {
            let left = quota.left(priorityGroup.claimGroup)
            let limits = quota.keys(of: priorityGroup.claimGroup)
            // One more than may be claimed shows whether the limit holds items back.
            let wanted = min(count, left == 0 ? 1 : left + (left < count ? 1 : 0)) + chosen.count
            try tables.due.due(
                priority: priorityGroup.priority, claimGroup: priorityGroup.number, now: rules.now, limit: wanted
            ) {
                if !chosen.contains($0) {
                    candidates.append(
                        Candidate(
                            sequence: $0, due: WallTime(milliseconds: $1), claimGroup: priorityGroup.claimGroup,
                            limits: limits,
                            mayBegin: true))
                }
            }
        }
        if priorityGroups.count > 1 { candidates.sort { ($0.due, $0.sequence) < ($1.due, $1.sequence) } }
        var taken: [Candidate] = []
        for var candidate in candidates where taken.count < count {
            if quota.left(candidate.claimGroup) > 0 {
                candidate.mayBegin = quota.mayBegin(candidate.claimGroup)
                quota.take(candidate.claimGroup)
                taken.append(candidate)
            } else {
                note(candidate.claimGroup, heldBackBy: &quota, &claim)
            }
        }
        return taken
    }

    private func note(_ claimGroup: ClaimGroup, heldBackBy quota: inout ClaimQuota, _ claim: inout Claim) {
        if quota.isFull(claimGroup) {
            claim.isHeldBackByLimits = true
        } else {
            claim.rateLimited.insert(claimGroup.queue)
        }
    }

    /// Claims the candidates in their order, and returns how many: it stops at one that must not run twice and would
    /// have to wait for a slot, so that such work is claimed when the earlier claims have started.
    private func take(_ candidates: [Candidate], _ rules: ClaimRules) throws -> Int {
        let records = try tables.work.recordsToRun(candidates.map(\.sequence), reader)
        var left: [WorkRecord] = []
        var taken = candidates.count
        for (index, candidate) in candidates.enumerated() {
            guard var record = records[candidate.sequence] else { continue }
            guard record.isIdempotent || round.freeSlots > 0 && candidate.mayBegin else {
                taken = index
                break
            }
            record.due = candidate.due
            left.append(record)
            try removeExpiry(record)
            _ = try begin(record, owner: rules.owner, now: rules.now, under: candidate.limits)
        }
        try tables.due.delete(left)
        return taken
    }

    private func previousOutputs(of record: WorkRecord) throws -> [String] {
        guard let chain = record.chainSequence, record.stepIndex > 0 else { return [] }
        let key = ClaimRound.StepKey(chain: chain, step: record.stepIndex)
        if let known = round.outputs[key] { return known }
        let outputs = try outputs(beforeStep: record.stepIndex, inChainOf: record)
            .flatMap { $0.outputs.compactMap(\.self) }
        round.outputs[key] = outputs
        return outputs
    }

    private func lookAhead(_ priorityGroups: [PriorityGroup], _ now: WallTime, _ claim: inout Claim) throws {
        for priorityGroup in priorityGroups {
            if let next = try tables.due.next(
                priority: priorityGroup.priority, claimGroup: priorityGroup.number, after: now)
            {
                claim.look(at: next)
            }
        }
        if let expiry = try nextExpiry() { claim.look(at: expiry) }
    }
}
