import BackgroundWorkModel

extension WorkTransaction {
    /// Stores work that waits until the work with its id has ended.
    func append(_ work: AppendedWork, after existing: [WorkRecord], id: String) throws {
        if try existing.contains(where: { $0.trigger?.recurs ?? false }) || lastAppendedRecurs(id) {
            throw EnqueueError.cannotAppend(id: id)
        }
        let body = try JSONCoding.text(of: work)
        try connection.run("INSERT INTO appended (id, body) VALUES (?, ?)", .text(id), .text(body))
        for record in existing where !record.flags.contains(.isFollowed) { try markFollowed(record) }
    }

    /// Whether the last work that waits for this id recurs, and so never ends.
    private func lastAppendedRecurs(_ id: String) throws -> Bool {
        let body = try connection.first(
            "SELECT body FROM appended WHERE id = ? ORDER BY seq DESC LIMIT 1", .text(id)
        ) { $0.text(0) }
        guard let body, case .single(_, let trigger, _, _)? = try? JSONCoding.value(AppendedWork.self, from: body)
        else {
            return false
        }
        return trigger.recurs
    }

    private func markFollowed(_ record: WorkRecord) throws {
        var followed = record
        followed.flags.insert(.isFollowed)
        try carry(&followed)
        try noteTouch(of: followed)
    }

    /// After the end of an item that other work waits for: the next work takes its id, if all of it has ended.
    ///
    /// If that work cannot start, since other work has the id of one of its members, it ends with events that say so;
    /// the end that it waited for is kept.
    func startAppended(after record: WorkRecord, now: WallTime) throws {
        let id = record.chainID ?? record.id
        if let chain = record.chainSequence, try isUnfinished(chain: chain) { return }
        var ended = try record.chainSequence.map(records(chain:)) ?? [record]
        while let (sequence, body) = try nextAppended(id) {
            try connection.run("DELETE FROM appended WHERE seq = ?", .int(sequence))
            guard let work = try? JSONCoding.value(AppendedWork.self, from: body) else { continue }
            do {
                try allOrNothing { try enqueueAppended(work, id: id, after: ended, now: now) }
                return
            } catch let error as EnqueueError {
                let message = "it was appended to \"\(id)\" and could not start when that work had ended: \(error)"
                try endAppended(work, id: id, .failed, message: message, now: now)
                // The id still belongs to the work that has ended.
                ended = try record.chainSequence.map(records(chain:)) ?? [record]
            }
        }
    }

    private func enqueueAppended(_ work: AppendedWork, id: String, after ended: [WorkRecord], now: WallTime) throws {
        let generation = try nextGeneration(after: ended)
        try delete(ended)
        switch work {
        case .single(let request, let trigger, _, _):
            try insertFree(
                NewItem(
                    request, trigger, id: id, now: now, settings.triggers, securityPolicy: work.securityPolicy),
                generation: generation, now: now)
        case .chain(let steps, _, _):
            try delete(try conflictingWork(of: steps, id: id))
            try insert(steps, id: id, generation: generation, securityPolicy: work.securityPolicy, now: now)
        }
        guard try nextAppended(id) != nil else { return }
        let begun = try self.record(id: id).map { [$0] } ?? records(chainID: id)
        for record in begun { try markFollowed(record) }
    }

    private func nextAppended(_ id: String) throws -> (Int64, String)? {
        try connection.first("SELECT seq, body FROM appended WHERE id = ? ORDER BY seq LIMIT 1", .text(id)) {
            ($0.int(0), $0.text(1))
        }
    }

    /// Cancels the work that waits for an id: each request was accepted, so each has its event.
    func cancelAppended(id: String, message: String, now: WallTime) throws {
        while let (sequence, body) = try nextAppended(id) {
            try connection.run("DELETE FROM appended WHERE seq = ?", .int(sequence))
            guard let work = try? JSONCoding.value(AppendedWork.self, from: body) else { continue }
            try endAppended(work, id: id, .cancelled, message: message, now: now)
        }
    }

    private func endAppended(
        _ work: AppendedWork, id: String, _ outcome: WorkOutcome, message: String, now: WallTime
    ) throws {
        switch work {
        case .single(let request, _, _, _):
            noteDeletedInput(request.inputJSON, of: request.workerClassName)
            try appendEvent(of: request, id: id, chain: nil, step: 0, outcome, message: message, now: now)
        case .chain(let steps, _, _):
            for member in steps.members(chainID: id) {
                noteDeletedInput(member.request.inputJSON, of: member.request.workerClassName)
                try appendEvent(
                    of: member.request, id: member.id, chain: id, step: member.step, outcome, message: message,
                    now: now)
            }
        }
    }

    /// For a request that never became an item.
    private func appendEvent(
        of request: TaskRequest, id: String, chain: String?, step: Int, _ outcome: WorkOutcome, message: String,
        now: WallTime
    ) throws {
        let claimGroup = try claimGroups.number(
            of: ClaimGroup(queue: request.queue, worker: request.workerClassName, constraints: request.constraints))
        try appendEvent(
            TaskCompletionEvent(
                sequence: 0, workID: id, taskName: request.workerClassName, chainID: chain, stepIndex: step,
                occurrence: 0, attempt: 0, outcome: outcome, message: message, outputJSON: nil,
                metadata: request.metadata, startedAt: nil, finishedAt: now.date, duration: nil), work: nil,
            claimGroup: claimGroup, now: now)
    }
}

/// Work that waits for the end of the work with its id, with the permissions of the scheduler that accepted it.
enum AppendedWork: Sendable, Codable {
    /// `dialsAnyAddress` is `true` for the unrestricted policy, and `securityPolicy` one that has no name. Both are left
    /// out for the public internet.
    case single(TaskRequest, TaskTrigger, dialsAnyAddress: Bool?, securityPolicy: SecurityPolicy?)
    case chain(ChainSteps, dialsAnyAddress: Bool?, securityPolicy: SecurityPolicy?)

    init(_ request: TaskRequest, _ trigger: TaskTrigger, under policy: SecurityPolicy) {
        self = .single(
            request, trigger, dialsAnyAddress: policy == .unrestricted ? true : nil,
            securityPolicy: policy.name == nil ? policy : nil)
    }

    init(_ steps: ChainSteps, under policy: SecurityPolicy) {
        self = .chain(
            steps, dialsAnyAddress: policy == .unrestricted ? true : nil,
            securityPolicy: policy.name == nil ? policy : nil)
    }

    /// That of the scheduler that accepted it.
    var securityPolicy: SecurityPolicy {
        switch self {
        case .single(_, _, let isUnrestricted, let policy), .chain(_, let isUnrestricted, let policy):
            policy ?? (isUnrestricted == true ? .unrestricted : .publicInternet)
        }
    }
}
