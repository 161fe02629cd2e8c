import BackgroundWorkModel

extension WorkTransaction {
    /// Keeps work until what bears its id has ended.
    func append(_ work: AppendedWork, after existing: [WorkRecord], id: String) throws {
        if try existing.contains(where: { $0.trigger?.recurs ?? false }) || lastAppendedRecurs(id) {
            throw EnqueueError.cannotAppend(id: id)
        }
        try connection.run("INSERT INTO appended (id, body) VALUES (?, ?)", .text(id), .text(StoredJSON.encode(work)))
        for record in existing where !record.flags.contains(.isFollowed) { try markFollowed(record.sequence) }
    }

    /// Whether what waits last for this id will never end itself.
    private func lastAppendedRecurs(_ id: String) throws -> Bool {
        let body = try connection.first(
            "SELECT body FROM appended WHERE id = ? ORDER BY seq DESC LIMIT 1", .text(id)
        ) { $0.text(0) }
        guard let body, case .single(_, let trigger)? = StoredJSON.decode(body) as AppendedWork? else { return false }
        return trigger.recurs
    }

    private func markFollowed(_ sequence: Int64) throws {
        try connection.run(
            "UPDATE work SET flags = flags | ? WHERE seq = ?", .int(WorkFlags.isFollowed.rawValue), .int(sequence))
    }

    /// After the end of an item that is followed: the next work takes its id, if all of it has ended.
    func takeUpAppended(after record: WorkRecord, now: WallTime) throws {
        let id = record.chainID ?? record.id
        if let chain = record.chainID, try isUnfinished(chain: chain) { return }
        guard let (sequence, body) = try nextAppended(id) else { return }
        try connection.run("DELETE FROM appended WHERE seq = ?", .int(sequence))
        let ended = try record.chainID.map(records(chainID:)) ?? [record]
        let generation = try nextGeneration(after: ended)
        try delete(ended)
        guard let work: AppendedWork = StoredJSON.decode(body) else { return }
        switch work {
        case .single(let request, let trigger):
            try insertSingle(request, trigger, id: id, generation: generation, now: now)
        case .chain(let steps): try insert(steps, id: id, generation: generation, now: now)
        }
        guard try nextAppended(id) != nil else { return }
        let begun = try self.record(id: id).map { [$0] } ?? records(chainID: id)
        for record in begun { try markFollowed(record.sequence) }
    }

    private func nextAppended(_ id: String) throws -> (Int64, String)? {
        try connection.first("SELECT seq, body FROM appended WHERE id = ? ORDER BY seq LIMIT 1", .text(id)) {
            ($0.int(0), $0.text(1))
        }
    }

    /// How many requests or chains wait for the end of this id.
    package func appendedCount(id: String) throws -> Int {
        try connection.first("SELECT count(*) FROM appended WHERE id = ?", .text(id)) { Int($0.int(0)) } ?? 0
    }

    /// Ends what waits for an id as cancelled: each request was accepted, so each has its event.
    func cancelAppended(id: String, message: String, now: WallTime) throws {
        while let (sequence, body) = try nextAppended(id) {
            try connection.run("DELETE FROM appended WHERE seq = ?", .int(sequence))
            guard let work: AppendedWork = StoredJSON.decode(body) else { continue }
            switch work {
            case .single(let request, _):
                try appendCancellation(of: request, id: id, chain: nil, step: 0, message: message, now: now)
            case .chain(let steps):
                for member in steps.members(chainID: id) {
                    try appendCancellation(
                        of: member.request, id: member.id, chain: id, step: member.step, message: message, now: now)
                }
            }
        }
    }

    private func appendCancellation(
        of request: TaskRequest, id: String, chain: String?, step: Int, message: String, now: WallTime
    ) throws {
        try appendEvent(
            Ending(
                id: id, workerName: request.workerClassName, chainID: chain, stepIndex: step, occurrence: 0, attempt: 0,
                metadata: request.metadata, startedAt: nil), .cancelled, Details(message: message), now: now)
    }
}
