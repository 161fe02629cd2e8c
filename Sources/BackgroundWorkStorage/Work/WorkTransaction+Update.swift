import BackgroundWorkFiles
import BackgroundWorkModel

extension WorkTransaction {
    /// Gives unfinished work another request. It keeps its position, its attempts and its history; its planned time
    /// only changes with the trigger.
    func update(_ record: WorkRecord, to item: NewItem, now: WallTime) throws {
        let (request, trigger) = (item.request, item.trigger)
        if trigger.recurs, record.flags.contains(.isFollowed) {
            throw EnqueueError.cannotUpdate(
                id: record.id, reason: "other work waits for its end, and recurring work never ends")
        }
        let isSamePlan: Bool =
            switch (trigger, record.trigger) {
            case (.oneTime, nil): true
            default: trigger == record.trigger
            }
        var first: Occurrence?
        if !isSamePlan { first = settings.triggers.first(of: trigger, delay: request.delay, now: now) }
        var updated = record
        try rewrite(
            &updated, to: request, latest: isSamePlan ? record.options.latest : first?.latest,
            securityPolicy: item.securityPolicy)
        guard let first else { return try replace(record, with: &updated) }
        if case .oneTime = trigger { updated.trigger = nil } else { updated.trigger = trigger }
        // An occurrence that has started is not planned again; the new plan applies from its end.
        let hasBegun = record.status.state != .pending || record.status.attempt > 0
        updated.planned = hasBegun ? settings.triggers.planned(before: first, of: trigger, now: now) : first.planned
        updated.triggeredAt = nil
        if !hasBegun { updated.due = first.due }
        try replace(record, with: &updated)
        try replaceTrigger(of: record, with: updated)
    }

    private func replaceTrigger(of record: WorkRecord, with updated: WorkRecord) throws {
        try connection.run(
            updated.trigger == nil
                ? "DELETE FROM recurring WHERE seq = ?" : "INSERT OR IGNORE INTO recurring VALUES (?)",
            .int(record.sequence))
        if record.trigger?.watchedPath == updated.trigger?.watchedPath { return }
        try connection.run("DELETE FROM watched WHERE seq = ?", .int(record.sequence))
        if let path = updated.trigger?.watchedPath { try watch(path, for: record.sequence) }
        summary.watchedPathsChanged = true
    }

    /// Gives each unfinished member of a chain the request at its position in another chain of the same shape.
    func update(_ existing: [WorkRecord], to chain: ChainSteps, id: String, now: WallTime) throws {
        let members = chain.members(chainID: id)
        guard members.map(\.id) == existing.map(\.id) else {
            throw EnqueueError.cannotUpdate(
                id: id,
                reason: "it has \(existing.count) members in other steps than the new chain's \(members.count)")
        }
        for step in chain.steps.indices
        where try existing.first?.chainSequence.map({ try tables.chains.predecessors(of: step, in: $0) })
            != chain.predecessors(of: step)
        {
            throw EnqueueError.cannotUpdate(id: id, reason: "step \(step) waits for other steps than in the new chain")
        }
        for (record, member) in zip(existing, members) where !record.status.state.isFinished {
            var updated = record
            try rewrite(&updated, to: member.request, latest: nil, securityPolicy: settings.securityPolicy)
            try replace(record, with: &updated)
        }
    }

    /// Replaces a record's request.
    private func rewrite(
        _ record: inout WorkRecord, to request: TaskRequest, latest: WallTime?, securityPolicy: SecurityPolicy
    ) throws {
        // Another worker would not know what it means.
        if record.workerName != request.workerClassName { record.checkpoint = nil }
        record.workerName = request.workerClassName
        record.inputJSON = request.inputJSON
        record.retryPolicy = request.retryPolicy
        record.priority = request.priority
        record.options = WorkOptions(request, latest: latest)
        record.claimGroupNumber = try claimGroups.number(
            of: ClaimGroup(queue: request.queue, worker: request.workerClassName, constraints: request.constraints))
        record.flags.remove([.releasesAtHandOff, .runsOnce])
        if request.continuation == .afterHandOff { record.flags.insert(.releasesAtHandOff) }
        if !request.isIdempotent { record.flags.insert(.runsOnce) }
        record.securityPolicy = securityPolicy
    }

    /// Stores another request in an item's row: the only case in which the row is written again.
    private func replace(_ record: WorkRecord, with updated: inout WorkRecord) throws {
        let isPending = record.status.state == .pending
        noteDeletedInput(record.inputJSON, of: record.workerName)
        if isPending { try leave(record) } else { try removeExpiry(record) }
        var extras = WorkExtras()
        extras.options = updated.options
        if updated.retryPolicy != .exponential() { extras.retryPolicy = updated.retryPolicy }
        extras.trigger = updated.trigger
        extras.securityPolicy = updated.otherPolicy
        try connection.run(
            "UPDATE work SET claim_group = ?, priority = ?, flags = ?, input = ?, extras = ? WHERE seq = ?",
            .int(updated.claimGroupNumber), .int(updated.priority.rawValue),
            .int(updated.flags.intersection(.ofRequest).rawValue), .optional(updated.inputJSON),
            .optional(try extras.stored), .int(record.sequence))
        if let tags = record.options.tags { try tables.tags.delete(tags, of: record.sequence) }
        if let tags = updated.options.tags { tables.tags.insert(tags, of: record.sequence) }
        if record.status.state == .running {
            try tables.runs.touch(record.sequence)
            try connection.run(
                "UPDATE runs SET claim_group = ? WHERE seq = ?", .int(updated.claimGroupNumber), .int(record.sequence))
        }
        try carry(&updated)
        if isPending {
            try tables.due.insert(
                record.sequence, priority: updated.priority, claimGroup: updated.claimGroupNumber, due: updated.due,
                isSuspect: updated.status.isSuspect)
        }
        try storeExpiry(updated)
        summary.changed.append(record.id)
        summary.look(at: updated.due)
        summary.hasDueWork = true
        summary.scheduleChanged = true
        mayHaveDueWork = true
    }
}
