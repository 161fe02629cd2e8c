import BackgroundWorkModel

extension WorkSnapshot {
    /// The items that match a query, in the order of enqueueing.
    package func records(matching query: WorkQuery) throws -> [WorkRecord] {
        var conditions = ["seq > ?"]
        var bindings: [SQLiteBinding] = [.int(query.after ?? 0)]
        func require(_ values: Set<String>, _ condition: (_ list: String) -> String) throws {
            if values.isEmpty { return }
            // SQLite before 3.45 truncates JSON texts at NUL, so those few are bound one by one.
            let whole = values.filter { $0.utf8.contains(0) }
            conditions.append(
                condition("SELECT value FROM json_each(?)" + whole.map { _ in " UNION ALL SELECT ?" }.joined()))
            bindings.append(.text(try JSONCoding.text(of: values.subtracting(whole).sorted())))
            bindings += whole.map(SQLiteBinding.text)
        }
        try require(query.ids) { "id IN (\($0))" }
        try require(query.tags) { "seq IN (SELECT work FROM tags WHERE tag IN (\($0)))" }
        try require(query.workerClassNames) { "claim_group IN (SELECT id FROM claim_groups WHERE worker IN (\($0)))" }
        try require(query.queues) { "claim_group IN (SELECT id FROM claim_groups WHERE queue IN (\($0)))" }
        if !query.states.isEmpty {
            // Numbers of an enumeration, never text from outside.
            conditions.append("state IN (\(query.states.map { "\($0.rawValue)" }.sorted().joined(separator: ",")))")
            if let places = Self.places(of: query.states) { conditions.append("seq IN (\(places))") }
        }
        if let chain = query.chainID {
            conditions.append("seq IN (SELECT seq FROM members WHERE chain = (SELECT seq FROM work WHERE id = ?))")
            bindings.append(.text(chain))
        }
        bindings.append(.int(max(0, query.limit)))
        var found: [WorkRecord] = []
        try connection.rows(
            "SELECT \(WorkRecord.columns) FROM items WHERE \(conditions.joined(separator: " AND ")) ORDER BY seq LIMIT ?",
            bindings
        ) { found.append(try reader.record($0)) }
        return found
    }

    /// The small tables that hold all items in these states, so that millions of other rows are not read.
    private static func places(of states: Set<WorkState>) -> String? {
        if states.isSubset(of: [.running, .handedOff, .finishing]) {
            return "SELECT seq FROM runs UNION ALL SELECT seq FROM parked"
        }
        return nil
    }

    /// The workers, by name as requested, that have unfinished work.
    package func unfinishedWorkers() throws -> Set<String> { Set(try unfinishedClaimGroups().map(\.claimGroup.worker)) }

    /// How many items are in each state, by queue.
    package func counts() throws -> [(queue: String, state: WorkState, count: Int)] {
        try unfinishedClaimGroups().map { ($0.claimGroup.queue, $0.state, $0.count) }
    }

    private func unfinishedClaimGroups() throws -> [(claimGroup: ClaimGroup, state: WorkState, count: Int)] {
        var rows: [(Int64, WorkState, Int)] = []
        try connection.rows(
            """
            SELECT claim_group, 1, count(*) FROM due GROUP BY claim_group \
            UNION ALL SELECT w.claim_group, 1, count(*) FROM suspects s CROSS JOIN work w ON w.seq = s.seq GROUP BY w.claim_group \
            UNION ALL SELECT claim_group, 2, count(*) FROM runs GROUP BY claim_group \
            UNION ALL SELECT w.claim_group, p.state, count(*) FROM parked p CROSS JOIN work w ON w.seq = p.seq \
            GROUP BY w.claim_group, p.state \
            UNION ALL SELECT i.claim_group, 0, count(*) FROM chains c CROSS JOIN members m ON m.chain = c.seq \
            CROSS JOIN items i ON i.seq = m.seq WHERE c.unfinished > 0 AND i.state = 0 GROUP BY i.claim_group
            """
        ) { row in rows.append((row.int(0), WorkState(rawValue: Int(row.int(1))) ?? .pending, Int(row.int(2)))) }
        return try rows.map { (try claimGroups.claimGroup($0.0), $0.1, $0.2) }
    }

    /// The item that has been due for longest and has not started.
    package func oldestDue(now: WallTime) throws -> WorkRecord? {
        var oldest: (sequence: Int64, due: Int64)?
        for priorityGroup in try priorityGroups() {
            try tables.due.due(priority: priorityGroup.priority, claimGroup: priorityGroup.number, now: now, limit: 1) {
                if $1 < oldest?.due ?? .max { oldest = ($0, $1) }
            }
        }
        return try oldest.flatMap { try record(sequence: $0.sequence) }
    }

    /// The earliest time at which waiting work with each set of conditions is due, in queues that are not paused.
    package func nextDueByNeeds(onlyWorkers: Set<String>? = nil) throws -> [Constraints: WallTime] {
        let paused = try pausedQueues()
        var earliest: [Constraints: WallTime] = [:]
        func consider(_ claimGroup: ClaimGroup, _ due: WallTime) {
            guard !paused.contains(claimGroup.queue), due != .distantFuture,
                onlyWorkers?.contains(claimGroup.worker) != false
            else { return }
            earliest[claimGroup.constraints] = min(earliest[claimGroup.constraints] ?? due, due)
        }
        for priorityGroup in try priorityGroups() {
            let due = try tables.due.next(
                priority: priorityGroup.priority, claimGroup: priorityGroup.number, after: WallTime(milliseconds: .min))
            if let due { consider(priorityGroup.claimGroup, due) }
        }
        if let suspect = try tables.due.nextSuspect(after: WallTime(milliseconds: .min)) {
            consider(try claimGroups.claimGroup(suspect.claimGroup), suspect.due)
        }
        if let expiry = try nextExpiry() { earliest[[]] = min(earliest[[]] ?? expiry, expiry) }
        return earliest
    }
}

extension WorkSnapshot {
    /// An item with a tag: only the columns that show its progress, so that reading many is cheap.
    package struct Tagged: Sendable, Hashable {
        package var key: TransferKey
        package var state: WorkState
        fileprivate var sequence: Int64
    }

    /// Whether unfinished work with a tag exists.
    package enum TagStanding: Sendable, Hashable {
        /// No item has the tag.
        case unknown
        case unfinished
        case finished
    }

    /// All items with a tag, in the order of enqueueing.
    package func tagged(_ tag: String) throws -> [Tagged] {
        var found: [Tagged] = []
        try connection.rows(
            """
            SELECT i.seq, i.id, i.generation, i.state FROM tags t CROSS JOIN items i ON i.seq = t.work \
            WHERE t.tag = ? ORDER BY t.work
            """,
            [.text(tag)]
        ) { row in
            found.append(
                Tagged(
                    key: TransferKey(workID: row.text(1), generation: row.int(2)),
                    state: WorkState(rawValue: Int(row.int(3))) ?? .pending, sequence: row.int(0)))
        }
        return found
    }

    /// The item's output.
    package func output(of item: Tagged) throws -> String? {
        try connection.first("SELECT output FROM items WHERE seq = ?", .int(item.sequence)) { $0.optionalText(0) }
            ?? nil
    }

    package func standing(ofTag tag: String) throws -> TagStanding {
        let unfinished = try connection.first(
            """
            SELECT 1 FROM tags t CROSS JOIN items i ON i.seq = t.work WHERE t.tag = ? AND i.state < 5 LIMIT 1
            """,
            .text(tag)
        ) { _ in true }
        if unfinished ?? false { return .unfinished }
        return try connection.first("SELECT 1 FROM tags WHERE tag = ? LIMIT 1", .text(tag)) { _ in true } ?? false
            ? .finished : .unknown
    }
}
