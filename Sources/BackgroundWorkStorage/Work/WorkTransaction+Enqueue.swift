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
    ///
    /// - Parameter fileStamp: of the file that it waits for, taken before.
    package func enqueue(
        _ submission: TaskSubmission, id: String, fileStamp: String? = nil, now: WallTime
    ) throws -> EnqueueAnswer {
        let item = try NewItem(
            submission.request, submission.trigger, id: id, fileStamp: fileStamp, now: now, settings.triggers,
            dialsAnyAddress: settings.dialsAnyAddress)
        return try enqueue(PreparedEnqueue(item, submission.policy, now: now))
    }

    /// The same, of what was made ready before.
    func enqueue(_ request: PreparedEnqueue) throws -> EnqueueAnswer {
        let (item, now) = (request.item, request.now)
        if item.isTooLate(at: now) { return .deadlinePassed }
        if let chain = try item.namesMemberOf.flatMap({ try unfinishedChain($0) }) {
            throw EnqueueError.idTaken(id: item.id, by: "a member of the chain \"\(chain)\"")
        }
        if try insert([item], generation: try nextGeneration(), now: now).isEmpty { return .inserted }
        return try enqueue(item, request.policy, in: try existing(item.id), now: now)
    }

    /// The same of many, in their order. Throws SQLite's errors, which concern the whole transaction.
    ///
    /// - Parameter answer: called for each of them; what it throws ends the rest.
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

    /// The same of several requests that ``PreparedEnqueue/isPlain`` says this of, in their order: their rows are written
    /// together.
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

    /// What a request is answered, unless the database itself has failed.
    private func refusable(_ body: () throws -> EnqueueAnswer) throws -> Result<EnqueueAnswer, any Error> {
        let answer = Result(catching: body)
        if case .failure(let error as SQLiteError) = answer { throw error }
        return answer
    }

    /// The id is there already.
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
                    .single(item.request, item.trigger, dialsAnyAddress: item.dialsAnyAddress ? true : nil),
                    after: [record], id: id)
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

    /// Stores a chain: its first step is pending, the others wait.
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
                _ = try othersInTheWay(of: chain, id: id)
                try append(
                    .chain(chain, dialsAnyAddress: settings.dialsAnyAddress ? true : nil), after: members, id: id)
                return .appended
            case .update:
                try update(members, to: chain, id: id, now: now)
                return .updated
            case .replace: break
            }
        }
        past += try othersInTheWay(of: chain, id: id)
        if try !makeRoom(for: past, id: id, now: now) { return .mustWait }
        try insert(
            chain, id: id, generation: try nextGeneration(after: past), dialsAnyAddress: settings.dialsAnyAddress,
            now: now)
        return .inserted
    }

    // MARK: Names

    /// What bears an id.
    private enum Existing {
        case none
        case single(WorkRecord)
        /// A member of a chain, with all of that chain.
        case member(of: String, [WorkRecord])
        case chain([WorkRecord])
    }

    private func existing(_ id: String) throws -> Existing {
        guard let holder = try nameHolder(id) else { return .none }
        if holder.isChain { return .chain(try records(chain: holder.sequence)) }
        if let chain = holder.memberOf {
            let members = try records(chain: chain)
            return .member(of: members.first?.chainID ?? "", members)
        }
        return try record(sequence: holder.sequence).map(Existing.single) ?? .none
    }

    /// The unfinished chain that may give this id to a member, now or when something appended to it is taken up.
    private func unfinishedChain(reserving id: String) throws -> String? {
        try ChainSteps.chain(ofMember: id).flatMap { try unfinishedChain($0) }
    }

    private func unfinishedChain(_ chain: String) throws -> String? {
        guard let holder = try nameHolder(chain), holder.isChain,
            try isUnfinished(chain: holder.sequence)
        else { return nil }
        return chain
    }

    /// Work of others that has finished and bears a member's id. Throws `EnqueueError.idTaken` for what has not.
    func othersInTheWay(of chain: ChainSteps, id: String) throws -> [WorkRecord] {
        var past: [WorkRecord] = []
        let own = try nameHolder(id)?.sequence
        var seen: Set<Int64> = []
        for member in chain.members(chainID: id) {
            guard let holder = try nameHolder(member.id), own == nil || holder.memberOf != own,
                seen.insert(holder.memberOf ?? holder.sequence).inserted
            else { continue }
            let found: [WorkRecord]
            switch try existing(member.id) {
            case .none: continue
            case .single(let record): found = [record]
            case .member(_, let members), .chain(let members): found = members
            }
            guard found.allSatisfy(\.status.state.isFinished) else {
                throw EnqueueError.idTaken(
                    id: member.id, by: "other work, so the chain \"\(id)\" cannot name its member")
            }
            past += found
        }
        return past
    }

    // MARK: Room

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

    // MARK: Insertion

    /// Stores an item whose id is free.
    func insertFree(_ item: NewItem, generation: Int64, now: WallTime) throws {
        try insertFree([item], generation: generation, now: now)
    }

    private func insertFree(_ items: [NewItem], generation: Int64, now: WallTime) throws {
        if let taken = try insert(items, generation: generation, now: now).first {
            throw EnqueueError.idTaken(id: taken.id, by: "other work")
        }
    }

    func insert(
        _ chain: ChainSteps, id: String, generation: Int64, dialsAnyAddress: Bool, now: WallTime
    ) throws {
        let sequence = try newSequence()
        let name = WorkTable.NewRow(
            sequence: sequence, id: id, claimGroup: 0, priority: .normal, due: now, generation: generation,
            enqueuedAt: now,
            flags: .isChain)
        guard try tables.work.insert([name]).isEmpty else { throw EnqueueError.idTaken(id: id, by: "other work") }
        try tables.chains.insert(chain, sequence: sequence, now: now)
        let items = try chain.members(chainID: id).map { member in
            let isFirst = chain.predecessors(of: member.step).isEmpty
            let due = isFirst ? now.advanced(byMs: member.request.delay.milliseconds) : now
            return try NewItem(
                member.request, id: member.id, Occurrence(planned: due, due: due),
                state: isFirst ? .pending : .blocked,
                chain: .init(id: id, sequence: sequence, step: member.step, position: member.index),
                dialsAnyAddress: dialsAnyAddress)
        }
        try insertFree(items, generation: generation, now: now)
    }

    /// Returns those whose id is there already; nothing is stored of these.
    private func insert(_ items: [NewItem], generation: Int64, now: WallTime) throws -> [NewItem] {
        let rows = try rows(for: items, generation: generation, times: repeatElement(now, count: items.count))
        let taken = try tables.work.insert(rows)
        for (item, row) in zip(items, rows) where !taken.contains(row.sequence) {
            try inserted(row, item, now: now)
        }
        return taken.isEmpty ? [] : zip(items, rows).filter { taken.contains($1.sequence) }.map(\.0)
    }

    private func rows(
        for items: [NewItem], generation: Int64, times: some Sequence<WallTime>
    ) throws -> [WorkTable.NewRow] {
        try zip(items, times).map { item, now in
            let request = item.request
            var flags: WorkFlags = request.continuation == .afterHandOff ? .releasesAtHandOff : []
            if !request.isIdempotent { flags.insert(.runsOnce) }
            if item.dialsAnyAddress { flags.insert(.dialsAnyAddress) }
            var row = WorkTable.NewRow(
                sequence: try newSequence(), id: item.id, claimGroup: try claimGroups.number(of: item.claimGroup),
                priority: request.priority, due: item.occurrence.due, generation: generation, enqueuedAt: now,
                flags: flags, input: request.inputJSON, extras: item.storedExtras)
            row.chain = item.chain.map { ($0.sequence, $0.step, $0.position) }
            return row
        }
    }

    /// What belongs to an item beside its row.
    private func inserted(_ row: WorkTable.NewRow, _ item: NewItem, now: WallTime) throws {
        var record = WorkRecord(row, item)
        try insertRareParts(of: &record, item)
        summary.changed.append(item.id)
        if settings.recordsTelemetry {
            summary.scheduled.append(
                ScheduledWork(
                    id: item.id, workerName: item.claimGroup.worker, chainID: item.chain?.id,
                    queue: item.claimGroup.queue))
        }
        switch item.state {
        case .pending: try wait(record, now: now)
        case .handedOff: try tables.parked.store(record)
        default: try storeExpiry(record)
        }
    }

    private func insertRareParts(of record: inout WorkRecord, _ item: NewItem) throws {
        if let tags = record.options.tags { tables.tags.insert(tags, of: record.sequence) }
        if let chain = item.chain {
            try tables.chains.insertMember(
                record.sequence, chain: chain.sequence, step: chain.step, position: chain.position)
            // Its step says since when it may run, which is not its own delay.
            if item.state == .pending, record.options.delayMs != nil { try carry(&record) }
        }
        if record.trigger != nil {
            try connection.run("INSERT INTO recurring VALUES (?)", .int(record.sequence))
            if let path = record.trigger?.watchedPath { try watch(path, stamp: item.fileStamp, for: record.sequence) }
        }
    }

    /// Stores an item that exists only because an outcome names it: the work store was begun anew, or the transfer
    /// was started by the ancestor. It stands as handed off, so that the outcome finds it.
    package func rebuild(key: TransferKey, workerName: String, now: WallTime) throws -> WorkRecord? {
        let item = try NewItem(
            TaskRequest(workerClassName: workerName), id: key.workID, Occurrence(planned: now, due: now),
            state: .handedOff, dialsAnyAddress: false)
        try insertFree(item, generation: key.generation, now: now)
        return try record(id: key.workID)
    }
}
