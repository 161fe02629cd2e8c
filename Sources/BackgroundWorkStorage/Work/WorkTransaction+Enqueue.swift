import BackgroundWorkModel

extension WorkTransaction {
    /// What became of an enqueue inside the transaction.
    package enum EnqueueAnswer: Sendable, Hashable {
        case inserted
        case kept
        /// A file of the existing work is being moved into place; ask again when it has finished.
        case mustWait
    }

    /// Stores one request under an id of its own.
    package func enqueue(
        _ request: TaskRequest, id: String, due: WallTime, policy: ExistingWorkPolicy, now: WallTime
    ) throws -> EnqueueAnswer {
        let existing = try record(id: id)
        if let chain = existing?.chainID {
            throw EnqueueError.idTaken(id: id, by: "a member of the chain \"\(chain)\"")
        }
        if try connection.first("SELECT 1 FROM work WHERE chain = ? LIMIT 1", .text(id), body: { _ in true }) != nil {
            throw EnqueueError.idTaken(id: id, by: "a chain")
        }
        if let answer = try makeRoom(for: existing.map { [$0] } ?? [], policy: policy, now: now) { return answer }
        let generation = try nextGeneration(after: existing.map { [$0] } ?? [])
        try insert(
            request, id: id, chainID: nil, step: 0, position: 0, state: .pending, due: due, generation: generation,
            now: now)
        summary.mayHaveDueWork = true
        return .inserted
    }

    /// Stores a chain: its first step is pending, the others wait.
    package func enqueue(
        _ chain: ChainSteps, id: String, policy: ExistingWorkPolicy, now: WallTime
    ) throws -> EnqueueAnswer {
        if let single = try record(id: id) {
            throw EnqueueError.idTaken(
                id: id, by: single.chainID.map { "a member of the chain \"\($0)\"" } ?? "a single request")
        }
        let members = chain.members(chainID: id)
        for member in members {
            guard let other = try record(id: member.id), other.chainID != id else { continue }
            throw EnqueueError.idTaken(id: member.id, by: "other work, so the chain \"\(id)\" cannot name its member")
        }
        let existing = try records(chainID: id)
        if let answer = try makeRoom(for: existing, policy: policy, now: now) { return answer }
        let generation = try nextGeneration(after: existing)
        for member in members {
            try insert(
                member.request, id: member.id, chainID: id, step: member.step, position: member.index,
                state: member.step == 0 ? .pending : .blocked, due: now, generation: generation, now: now)
        }
        summary.mayHaveDueWork = true
        return .inserted
    }

    /// Applies the policy to what is there; `nil` means that the ids are free now.
    private func makeRoom(
        for existing: [WorkRecord], policy: ExistingWorkPolicy, now: WallTime
    ) throws -> EnqueueAnswer? {
        let unfinished = existing.filter { !$0.status.state.isFinished }
        if !unfinished.isEmpty {
            if policy == .keep { return .kept }
            if unfinished.contains(where: { $0.status.state == .finishing }) { return .mustWait }
            for record in unfinished {
                // The first one's cancellation cancels what depends on it.
                guard let current = try self.record(id: record.id), !current.status.state.isFinished else { continue }
                _ = try apply(.cancelled, to: current, message: "replaced by new work under the same id", now: now)
            }
        }
        for record in existing { try connection.run("DELETE FROM work WHERE seq = ?", .int(record.sequence)) }
        return nil
    }

    /// Generations grow across replacements and pruning, so that a late outcome never meets its namesake.
    private func nextGeneration(after existing: [WorkRecord]) throws -> Int64 {
        let floor = try meta(MetaKey.generationFloor).flatMap { Int64($0) } ?? 0
        return max(floor, existing.map(\.status.generation).max() ?? 0) + 1
    }

    private func insert(
        _ request: TaskRequest, id: String, chainID: String?, step: Int, position: Int, state: WorkState,
        due: WallTime, generation: Int64, now: WallTime
    ) throws {
        let policy = request.retryPolicy == .exponential() ? nil : try StoredJSON.encode(request.retryPolicy)
        try connection.run(
            """
            INSERT INTO work (id, chain, step, position, worker, input, idempotent, retry_policy, state, priority, \
            due, generation, attempt, deaths, enqueued_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?)
            """,
            .text(id), .optional(chainID), .int(step), .int(position), .text(request.workerClassName),
            .optional(request.inputJSON), .int(request.isIdempotent ? 1 : 0), .optional(policy),
            .int(state.rawValue), .int(request.priority.rawValue), .int(due.milliseconds), .int(generation),
            .int(now.milliseconds))
    }

    /// Stores an item that exists only because an outcome names it: the work store was begun anew, or the transfer
    /// was started by the ancestor. It stands as handed off, so that the outcome finds it.
    package func rebuild(
        key: TransferKey, workerName: String, now: WallTime
    ) throws -> WorkRecord? {
        try insert(
            TaskRequest(workerClassName: workerName), id: key.workID, chainID: nil, step: 0, position: 0,
            state: .handedOff, due: now, generation: key.generation, now: now)
        return try record(id: key.workID)
    }
}
