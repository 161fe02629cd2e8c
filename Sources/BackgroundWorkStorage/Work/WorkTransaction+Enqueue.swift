import BackgroundWorkFiles
import BackgroundWorkModel

extension WorkTransaction {
    /// What became of an enqueue inside the transaction.
    package enum EnqueueAnswer: Sendable, Hashable {
        case inserted
        case kept
        /// It waits for the end of what is there.
        case appended
        case updated
        case deadlinePassed
        /// A file of the existing work is being moved into place; ask again when it has finished.
        case mustWait
    }

    /// Stores one request under an id of its own.
    package func enqueue(_ submission: TaskSubmission, id: String, now: WallTime) throws -> EnqueueAnswer {
        if let deadline = submission.request.deadline, WallTime(deadline) <= now { return .deadlinePassed }
        let past = try finishedChains(named: id) { owner in EnqueueError.idTaken(id: id, by: owner) }
        let existing = try record(id: id).flatMap { $0.chainID == nil ? $0 : nil }
        if let existing, !existing.status.state.isFinished {
            switch submission.policy {
            case .keep: return .kept
            case .append:
                try append(.single(submission.request, submission.trigger), after: [existing], id: id)
                return .appended
            case .update:
                try update(existing, to: submission.request, trigger: submission.trigger, now: now)
                return .updated
            case .replace: break
            }
        }
        let before = past + (existing.map { [$0] } ?? [])
        if try !makeRoom(for: before, id: id, now: now) { return .mustWait }
        try insertSingle(
            submission.request, submission.trigger, id: id, generation: try nextGeneration(after: before), now: now)
        return .inserted
    }

    /// Stores a chain: its first step is pending, the others wait.
    package func enqueue(
        _ chain: ChainSteps, id: String, policy: ExistingWorkPolicy, now: WallTime
    ) throws -> EnqueueAnswer {
        if chain.steps.joined().contains(where: { $0.deadline.map { WallTime($0) <= now } ?? false }) {
            return .deadlinePassed
        }
        var past = try finishedWork(named: id) { owner in EnqueueError.idTaken(id: id, by: owner) }
        for member in chain.members(chainID: id) where try record(id: member.id)?.chainID != id {
            past += try finishedWork(named: member.id) { _ in
                EnqueueError.idTaken(id: member.id, by: "other work, so the chain \"\(id)\" cannot name its member")
            }
            past += try finishedChains(named: member.id) { _ in
                EnqueueError.idTaken(id: member.id, by: "other work, so the chain \"\(id)\" cannot name its member")
            }
        }
        let existing = try records(chainID: id)
        if existing.contains(where: { !$0.status.state.isFinished }) {
            switch policy {
            case .keep: return .kept
            case .append:
                try append(.chain(chain), after: existing, id: id)
                return .appended
            case .update:
                try update(existing, to: chain, id: id, now: now)
                return .updated
            case .replace: break
            }
        }
        let before = past + existing
        if try !makeRoom(for: before, id: id, now: now) { return .mustWait }
        try insert(chain, id: id, generation: try nextGeneration(after: before), now: now)
        return .inserted
    }

    /// The members of a finished chain that bears this id, or has a member that does. What has finished stands in
    /// nobody's way; what has not is `taken`.
    private func finishedChains(named id: String, taken: (String) -> EnqueueError) throws -> [WorkRecord] {
        if let chain = try record(id: id)?.chainID {
            if try isUnfinished(chain: chain) { throw taken("a member of the chain \"\(chain)\"") }
            return try records(chainID: chain)
        }
        if try isUnfinished(chain: id) { throw taken("a chain") }
        return try records(chainID: id)
    }

    /// A finished single request that bears this id, or the finished chain that it is a member of.
    private func finishedWork(named id: String, taken: (String) -> EnqueueError) throws -> [WorkRecord] {
        guard let record = try record(id: id) else { return [] }
        if record.chainID != nil { return try finishedChains(named: id, taken: taken) }
        guard record.status.state.isFinished else { throw taken("a single request") }
        return [record]
    }

    /// Ends what is there as replaced, and frees its ids; `false` if a file of it is being moved into place.
    private func makeRoom(for existing: [WorkRecord], id: String, now: WallTime) throws -> Bool {
        let unfinished = existing.filter { !$0.status.state.isFinished }
        if unfinished.contains(where: { $0.status.state == .finishing }) { return false }
        let message = "replaced by new work under the same id"
        if existing.contains(where: { $0.flags.contains(.isFollowed) }) {
            try cancelAppended(id: id, message: message, now: now)
        }
        for record in unfinished {
            // The first one's cancellation cancels what depends on it.
            guard let current = try self.record(id: record.id), !current.status.state.isFinished else { continue }
            _ = try apply(.cancelled, to: current, message: message, now: now)
        }
        try delete(existing)
        return true
    }

    func delete(_ records: [WorkRecord]) throws {
        for record in records { try connection.run("DELETE FROM work WHERE seq = ?", .int(record.sequence)) }
        for chain in Set(records.compactMap(\.chainID)) { try forgetLinks(of: chain) }
    }

    /// Generations grow across replacements and pruning, so that a late outcome never meets its namesake.
    func nextGeneration(after existing: [WorkRecord]) throws -> Int64 {
        let floor = try meta(MetaKey.generationFloor).flatMap { Int64($0) } ?? 0
        return max(floor, existing.map(\.status.generation).max() ?? 0) + 1
    }

    func insertSingle(
        _ request: TaskRequest, _ trigger: TaskTrigger, id: String, generation: Int64, now: WallTime
    ) throws {
        guard let first = settings.triggers.first(of: trigger, delay: request.delay, now: now) else {
            // Its check found a time that comes; only a zone that has been removed since can bring this about.
            throw EnqueueError.invalidDate
        }
        try insert(
            NewWork(
                request: request, id: id, state: .pending, generation: generation, occurrence: first,
                trigger: trigger), now: now)
        summary.mayHaveDueWork = true
    }

    func insert(_ chain: ChainSteps, id: String, generation: Int64, now: WallTime) throws {
        try storeLinks(of: chain, id: id)
        for member in chain.members(chainID: id) {
            let isFirst = chain.predecessors(of: member.step).isEmpty
            let due = isFirst ? now.advanced(byMs: member.request.delay.milliseconds) : now
            try insert(
                NewWork(
                    request: member.request, id: member.id, chain: (id, member.step, member.index),
                    state: isFirst ? .pending : .blocked, generation: generation,
                    occurrence: Occurrence(planned: due, due: due)), now: now)
        }
        summary.mayHaveDueWork = true
    }

    /// A row to be.
    struct NewWork {
        var request: TaskRequest
        var id: String
        var chain: (id: String, step: Int, position: Int)?
        var state: WorkState
        var generation: Int64
        var occurrence: Occurrence
        var trigger: TaskTrigger = .oneTime()
    }

    private func insert(_ work: NewWork, now: WallTime) throws {
        let request = work.request
        let policy = request.retryPolicy == .exponential() ? nil : try StoredJSON.encode(request.retryPolicy)
        let options = WorkOptions(request, latest: work.occurrence.latest)
        let status = WorkStatus(state: work.state, generation: work.generation, attempt: 0, deaths: 0)
        let lane = try lanes.number(
            of: Lane(queue: request.queue, worker: request.workerClassName, constraints: request.constraints))
        let flags: WorkFlags = request.continuation == .afterHandOff ? .releasesAtHandOff : []
        var trigger: String?
        if case .oneTime = work.trigger {} else { trigger = try StoredJSON.encode(work.trigger) }
        try connection.run(
            """
            INSERT INTO work (id, chain, step, position, worker, input, idempotent, retry_policy, state, priority, \
            due, generation, attempt, deaths, enqueued_at, lane, flags, options, trigger, planned, expires, watched, \
            file_stamp) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .text(work.id), .optional(work.chain?.id), .int(work.chain?.step ?? 0), .int(work.chain?.position ?? 0),
            .text(request.workerClassName), .optional(request.inputJSON), .int(request.isIdempotent ? 1 : 0),
            .optional(policy), .int(work.state.rawValue), .int(request.priority.rawValue),
            .int(work.occurrence.due.milliseconds), .int(work.generation), .int(now.milliseconds), .int(lane),
            .int(flags.rawValue), .optional(options.isEmpty ? nil : try StoredJSON.encode(options)),
            .optional(trigger), .optional(trigger == nil ? nil : work.occurrence.planned.milliseconds),
            .optional(options.expiry(in: status)?.milliseconds), .optional(work.trigger.watchedPath),
            .optional(work.trigger.watchedPath.map(FileStamp.stored)))
        if !request.tags.isEmpty { try store(request.tags, of: connection.lastInsertedRowID) }
        if work.trigger.watchedPath != nil { summary.watchedPathsChanged = true }
        summary.changed.append(work.id)
        if settings.recordsTelemetry {
            summary.scheduled.append(
                ScheduledWork(
                    id: work.id, workerName: request.workerClassName, chainID: work.chain?.id, queue: request.queue))
        }
    }

    func store(_ tags: Set<String>, of sequence: Int64) throws {
        for tag in tags {
            try connection.run("INSERT INTO tags (tag, work) VALUES (?, ?)", .text(tag), .int(sequence))
        }
    }

    /// Stores an item that exists only because an outcome names it: the work store was begun anew, or the transfer
    /// was started by the ancestor. It stands as handed off, so that the outcome finds it.
    package func rebuild(
        key: TransferKey, workerName: String, now: WallTime
    ) throws -> WorkRecord? {
        try insert(
            NewWork(
                request: TaskRequest(workerClassName: workerName), id: key.workID, state: .handedOff,
                generation: key.generation, occurrence: Occurrence(planned: now, due: now)), now: now)
        return try record(id: key.workID)
    }
}
