import BackgroundWorkModel

extension WorkTransaction {
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
        _ chain: ChainSteps, id: String, generation: Int64, securityPolicy: SecurityPolicy, now: WallTime
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
                securityPolicy: securityPolicy)
        }
        try insertFree(items, generation: generation, now: now)
    }

    /// Returns those whose id exists already; nothing is stored of these.
    func insert(_ items: [NewItem], generation: Int64, now: WallTime) throws -> [NewItem] {
        let rows = try rows(for: items, generation: generation, times: repeatElement(now, count: items.count))
        let taken = try tables.work.insert(rows)
        for (item, row) in zip(items, rows) where !taken.contains(row.sequence) {
            try inserted(row, item, now: now)
        }
        return taken.isEmpty ? [] : zip(items, rows).filter { taken.contains($1.sequence) }.map(\.0)
    }

    func rows(
        for items: [NewItem], generation: Int64, times: some Sequence<WallTime>
    ) throws -> [WorkTable.NewRow] {
        try zip(items, times).map { item, now in
            let request = item.request
            var flags: WorkFlags = request.continuation == .afterHandOff ? .releasesAtHandOff : []
            if !request.isIdempotent { flags.insert(.runsOnce) }
            flags.formUnion(WorkFlags(item.securityPolicy))
            var row = WorkTable.NewRow(
                sequence: try newSequence(), id: item.id, claimGroup: try claimGroups.number(of: item.claimGroup),
                priority: request.priority, due: item.occurrence.due, generation: generation, enqueuedAt: now,
                flags: flags, input: request.inputJSON, extras: item.storedExtras)
            row.chain = item.chain.map { ($0.sequence, $0.step, $0.position) }
            return row
        }
    }

    /// Stores what belongs to an item besides its row.
    func inserted(_ row: WorkTable.NewRow, _ item: NewItem, now: WallTime) throws {
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
            // Its step's release determines when it may run; its own delay is carried over separately.
            if item.state == .pending, record.options.delayMs != nil { try carry(&record) }
        }
        if record.trigger != nil {
            try connection.run("INSERT INTO recurring VALUES (?)", .int(record.sequence))
            if let path = record.trigger?.watchedPath { try watch(path, stamp: item.fileStamp, for: record.sequence) }
        }
    }

    /// Stores an item that exists only because an outcome names it: the work store was created anew, or the transfer
    /// was started by the ancestor. Its state is handed off, so that the outcome applies to it.
    package func rebuild(key: TransferKey, workerName: String, now: WallTime) throws -> WorkRecord? {
        let item = try NewItem(
            TaskRequest(workerClassName: workerName), id: key.workID, Occurrence(planned: now, due: now),
            state: .handedOff, securityPolicy: .publicInternet)
        try insertFree(item, generation: key.generation, now: now)
        return try record(id: key.workID)
    }
}
