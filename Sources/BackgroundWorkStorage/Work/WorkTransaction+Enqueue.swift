import BackgroundWorkModel

extension WorkTransaction {
    /// The result of an enqueue inside the transaction.
    package enum EnqueueAnswer: Sendable, Hashable {
        case inserted
        case kept
        /// It waits for the end of the existing work.
        case appended
        case updated
        case deadlinePassed
        /// A file of the existing work is being moved into place; enqueue again when that has finished.
        case mustWait
    }

    /// Stores one request under a new id.
    ///
    /// - Parameter fileStamp: of the file that it waits for, taken before.
    package func enqueue(
        _ submission: TaskSubmission, id: String, fileStamp: String? = nil, now: WallTime
    ) throws -> EnqueueAnswer {
        let item = try NewItem(
            submission.request, submission.trigger, id: id, fileStamp: fileStamp, now: now, settings.triggers,
            securityPolicy: settings.securityPolicy)
        return try enqueue(PreparedEnqueue(item, submission.policy, now: now))
    }

    /// Stores a prepared request.
    func enqueue(_ request: PreparedEnqueue) throws -> EnqueueAnswer {
        let (item, now) = (request.item, request.now)
        if item.isTooLate(at: now) { return .deadlinePassed }
        if let chain = try item.namesMemberOf.flatMap({ try unfinishedChain($0) }) {
            throw EnqueueError.idTaken(id: item.id, by: "a member of the chain \"\(chain)\"")
        }
        if try insert([item], generation: try nextGeneration(), now: now).isEmpty { return .inserted }
        return try enqueue(item, request.policy, in: try existing(item.id), now: now)
    }

    /// Stores several, in their order. Throws SQLite's errors, which concern the whole transaction.
    ///
    /// - Parameter answer: called for each of them; an error that it throws ends the rest.
    package func enqueue(
        _ requests: [PreparedEnqueue], answer: (Result<EnqueueAnswer, any Error>) throws -> Void
    ) throws {
        for group in requests.runs(where: { $0.isPlain && $1.isPlain }) {
            if group.count > 1 {
                try enqueue(together: group, answer: answer)
            } else {
                for request in group { try answer(refusable { try enqueue(request) }) }
            }
        }
    }

    /// Stores several requests that are ``PreparedEnqueue/isPlain``, in their order: their rows are written together.
    private func enqueue(
        together requests: some Collection<PreparedEnqueue>, answer: (Result<EnqueueAnswer, any Error>) throws -> Void
    ) throws {
        let rows = try rows(for: requests.map(\.item), generation: try nextGeneration(), times: requests.map(\.now))
        let taken = try tables.work.insert(rows)
        for (request, row) in zip(requests, rows) {
            let stored = try refusable {
                if taken.contains(row.sequence) {
                    let existing = try existing(request.item.id)
                    return try enqueue(request.item, request.policy, in: existing, now: request.now)
                }
                try inserted(row, request.item, now: request.now)
                return .inserted
            }
            try answer(stored)
        }
    }

    /// The answer to a request, unless the database itself has failed.
    private func refusable(_ body: () throws -> EnqueueAnswer) throws -> Result<EnqueueAnswer, any Error> {
        let answer = Result(catching: body)
        if case .failure(let error as SQLiteError) = answer { throw error }
        return answer
    }

    /// Handles an id that exists already.
    private func enqueue(
        _ item: NewItem, _ policy: ExistingWorkPolicy, in existing: Existing, now: WallTime
    ) throws -> EnqueueAnswer {
        let id = item.id
        var past: [WorkRecord] = []
        switch existing {
        case .none: break
        case .member(let chain, let members):
            guard members.allSatisfy(\.status.state.isFinished) else {
                throw EnqueueError.idTaken(id: id, by: "a member of the chain \"\(chain)\"")
            }
            past = members
        case .chain(let members):
            guard members.allSatisfy(\.status.state.isFinished) else {
                throw EnqueueError.idTaken(id: id, by: "a chain")
            }
            past = members
        case .single(let record):
            past = [record]
            if record.status.state.isFinished { break }
            switch policy {
            case .keep: return .kept
            case .append:
                try append(
                    AppendedWork(item.request, item.trigger, under: item.securityPolicy), after: [record], id: id)
                return .appended
            case .update:
                try update(record, to: item, now: now)
                return .updated
            case .replace: break
            }
        }
        if try !makeRoom(for: past, id: id, now: now) { return .mustWait }
        try insertFree(item, generation: try nextGeneration(after: past), now: now)
        return .inserted
    }

    /// Stores a chain: its first step is pending, the other steps are blocked.
    package func enqueue(
        _ chain: ChainSteps, id: String, policy: ExistingWorkPolicy, now: WallTime
    ) throws -> EnqueueAnswer {
        if chain.steps.joined().contains(where: { $0.deadline.map { WallTime($0) <= now } ?? false }) {
            return .deadlinePassed
        }
        if let other = try unfinishedChain(reserving: id) {
            throw EnqueueError.idTaken(id: id, by: "a member of the chain \"\(other)\"")
        }
        var past: [WorkRecord] = []
        switch try existing(id) {
        case .none: break
        case .single(let record):
            guard record.status.state.isFinished else { throw EnqueueError.idTaken(id: id, by: "a single request") }
            past = [record]
        case .member(let other, let members):
            guard members.allSatisfy(\.status.state.isFinished) else {
                throw EnqueueError.idTaken(id: id, by: "a member of the chain \"\(other)\"")
            }
            past = members
        case .chain(let members):
            past = members
            if members.allSatisfy(\.status.state.isFinished) { break }
            switch policy {
            case .keep: return .kept
            case .append:
                _ = try conflictingWork(of: chain, id: id)
                try append(AppendedWork(chain, under: settings.securityPolicy), after: members, id: id)
                return .appended
            case .update:
                try update(members, to: chain, id: id, now: now)
                return .updated
            case .replace: break
            }
        }
        past += try conflictingWork(of: chain, id: id)
        if try !makeRoom(for: past, id: id, now: now) { return .mustWait }
        try insert(
            chain, id: id, generation: try nextGeneration(after: past), securityPolicy: settings.securityPolicy,
            now: now)
        return .inserted
    }

    // MARK: Replacing

    /// Ends the existing work as replaced, and frees its ids; `false` if a file of it is being moved into place.
    private func makeRoom(for existing: [WorkRecord], id: String, now: WallTime) throws -> Bool {
        let unfinished = existing.filter { !$0.status.state.isFinished }
        if unfinished.contains(where: { $0.status.state == .finishing }) { return false }
        let message = "replaced by new work under the same id"
        if existing.contains(where: { $0.flags.contains(.isFollowed) }) {
            try cancelAppended(id: id, message: message, now: now)
        }
        for record in unfinished {
            // Cancelling the first one cancels what depends on it.
            guard let current = try self.record(sequence: record.sequence), !current.status.state.isFinished else {
                continue
            }
            _ = try apply(.cancelled, to: current, message: message, now: now)
        }
        try delete(existing)
        return true
    }

    /// Removes finished items, and their chains, from all tables but the events.
    func delete(_ records: [WorkRecord]) throws {
        if records.isEmpty { return }
        var highest: Int64 = 0
        for record in records {
            highest = max(highest, record.sequence, record.chainSequence ?? 0)
            try connection.run("DELETE FROM work WHERE seq = ?", .int(record.sequence))
            if record.isCarried { try tables.carried.delete(record.sequence) }
            if let tags = record.options.tags { try tables.tags.delete(tags, of: record.sequence) }
            if record.trigger != nil {
                try connection.run("DELETE FROM recurring WHERE seq = ?", .int(record.sequence))
            }
        }
        for chain in Set(records.compactMap(\.chainSequence)) { try tables.chains.delete(chain) }
        try keepFree(upTo: highest)
    }
}
