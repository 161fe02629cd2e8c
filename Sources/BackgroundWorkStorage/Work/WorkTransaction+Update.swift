import BackgroundWorkFiles
import BackgroundWorkModel

extension WorkTransaction {
    /// Gives unfinished work another request. It keeps its place, its attempts and its history; its planned time only
    /// changes with the trigger.
    func update(_ record: WorkRecord, to request: TaskRequest, trigger: TaskTrigger, now: WallTime) throws {
        if trigger.recurs, record.flags.contains(.isFollowed) {
            throw EnqueueError.cannotUpdate(
                id: record.id, reason: "other work waits for its end, and it would have none")
        }
        let isSamePlan: Bool =
            switch (trigger, record.trigger) {
            case (.oneTime, nil): true
            default: trigger == record.trigger
            }
        var first: Occurrence?
        if !isSamePlan { first = settings.triggers.first(of: trigger, delay: request.delay, now: now) }
        try rewrite(record, to: request, latest: isSamePlan ? record.options.latest : first?.latest)
        guard let first else { return }
        var stored: String?
        if case .oneTime = trigger {} else { stored = try StoredJSON.encode(trigger) }
        // What has begun is not planned again; the new plan takes over at its end.
        let hasBegun = record.status.state != .pending || record.status.attempt > 0
        let planned = hasBegun ? settings.triggers.planned(before: first, of: trigger, now: now) : first.planned
        try connection.run(
            "UPDATE work SET trigger = ?, planned = ?, watched = ?, file_stamp = ?, triggered_at = NULL WHERE seq = ?",
            .optional(stored), .optional(stored == nil ? nil : planned.milliseconds),
            .optional(trigger.watchedPath), .optional(trigger.watchedPath.map(FileStamp.stored)),
            .int(record.sequence))
        if !hasBegun {
            try connection.run(
                "UPDATE work SET due = ? WHERE seq = ?", .int(first.due.milliseconds), .int(record.sequence))
        }
        summary.watchedPathsChanged = true
    }

    /// Gives each unfinished member of a chain the request that stands at its place in another of the same shape.
    func update(_ existing: [WorkRecord], to chain: ChainSteps, id: String, now: WallTime) throws {
        let members = chain.members(chainID: id)
        guard members.map(\.id) == existing.map(\.id) else {
            throw EnqueueError.cannotUpdate(
                id: id,
                reason: "it has \(existing.count) members in other steps than the new chain's \(members.count)")
        }
        for step in chain.steps.indices where try predecessors(of: step, in: id) != chain.predecessors(of: step) {
            throw EnqueueError.cannotUpdate(id: id, reason: "step \(step) waits for other steps than in the new chain")
        }
        for (record, member) in zip(existing, members) where !record.status.state.isFinished {
            try rewrite(record, to: member.request, latest: nil)
        }
    }

    private func rewrite(_ record: WorkRecord, to request: TaskRequest, latest: WallTime?) throws {
        let policy = request.retryPolicy == .exponential() ? nil : try StoredJSON.encode(request.retryPolicy)
        var options = WorkOptions(request, latest: latest)
        options.handOffExpires = record.options.handOffExpires
        let lane = try lanes.number(
            of: Lane(queue: request.queue, worker: request.workerClassName, constraints: request.constraints))
        var flags = record.flags
        if request.continuation == .afterHandOff {
            flags.insert(.releasesAtHandOff)
        } else {
            flags.remove(.releasesAtHandOff)
        }
        try connection.run(
            """
            UPDATE work SET worker = ?, input = ?, idempotent = ?, retry_policy = ?, priority = ?, lane = ?, \
            flags = ?, options = ?, expires = ? WHERE seq = ?
            """,
            .text(request.workerClassName), .optional(request.inputJSON), .int(request.isIdempotent ? 1 : 0),
            .optional(policy), .int(request.priority.rawValue), .int(lane), .int(flags.rawValue),
            .optional(options.isEmpty ? nil : try StoredJSON.encode(options)),
            .optional(options.expiry(in: record.status)?.milliseconds), .int(record.sequence))
        try connection.run("DELETE FROM tags WHERE work = ?", .int(record.sequence))
        try store(request.tags, of: record.sequence)
        summary.changed.append(record.id)
        summary.mayHaveDueWork = true
    }
}
