import BackgroundWorkModel

extension WorkTransaction {
    /// The items that a query asks for, in the order of enqueueing.
    package func records(matching query: WorkQuery) throws -> [WorkRecord] {
        var conditions = ["seq > ?"]
        var bindings: [SQLiteBinding] = [.int(query.after ?? 0)]
        func require(_ values: Set<String>, _ condition: (_ list: String) -> String) throws {
            if values.isEmpty { return }
            // SQLite before 3.45 cuts texts out of JSON off at NUL, so those few are bound one by one.
            let whole = values.filter { $0.utf8.contains(0) }
            conditions.append(
                condition("SELECT value FROM json_each(?)" + whole.map { _ in " UNION ALL SELECT ?" }.joined()))
            bindings.append(.text(try StoredJSON.encode(values.subtracting(whole).sorted())))
            bindings += whole.map(SQLiteBinding.text)
        }
        try require(query.ids) { "id IN (\($0))" }
        try require(query.tags) { "seq IN (SELECT work FROM tags WHERE tag IN (\($0)))" }
        try require(query.workerNames) { "worker IN (\($0))" }
        try require(query.queues) { "lane IN (SELECT id FROM lanes WHERE queue IN (\($0)))" }
        if !query.states.isEmpty {
            // Numbers of an enumeration, never text from outside.
            conditions.append("state IN (\(query.states.map { "\($0.rawValue)" }.sorted().joined(separator: ",")))")
        }
        if let chain = query.chainID {
            conditions.append("chain = ?")
            bindings.append(.text(chain))
        }
        bindings.append(.int(max(0, query.limit)))
        var found: [WorkRecord] = []
        try connection.rows(
            "SELECT \(WorkRecord.columns) FROM work WHERE \(conditions.joined(separator: " AND ")) ORDER BY seq LIMIT ?",
            bindings
        ) { found.append(WorkRecord($0)) }
        return found
    }

    /// The workers, by name as requested, that have unfinished work.
    package func unfinishedWorkers() throws -> Set<String> {
        var names: Set<String> = []
        try connection.rows("SELECT DISTINCT worker FROM work WHERE state < 5") { names.insert($0.text(0)) }
        return names
    }

    /// How many items stand where, by queue.
    package func counts() throws -> [(queue: String, state: WorkState, count: Int)] {
        var rows: [(Int64, WorkState, Int)] = []
        try connection.rows("SELECT lane, state, count(*) FROM work WHERE state < 5 GROUP BY lane, state") { row in
            rows.append((row.int(0), WorkState(rawValue: Int(row.int(1))) ?? .pending, Int(row.int(2))))
        }
        return try rows.map { (try lanes.lane($0.0).queue, $0.1, $0.2) }
    }

    /// The item that has been due for longest and has not begun.
    package func oldestDue(now: WallTime) throws -> WorkRecord? {
        var oldest: (sequence: Int64, due: Int64)?
        for shelf in try shelves() {
            let first = try connection.first(
                Self.dueOnShelf, .int(shelf.priority.rawValue), .int(shelf.number), .int(now.milliseconds), .int(1)
            ) { (sequence: $0.int(0), due: $0.int(1)) }
            if let first, first.due < oldest?.due ?? .max { oldest = first }
        }
        guard let oldest else { return nil }
        return try records("SELECT \(WorkRecord.columns) FROM work WHERE seq = ?", .int(oldest.sequence)).first
    }

    /// The earliest time at which waiting work with each set of conditions is due, in queues that are not paused.
    package func nextDueByNeeds(onlyWorkers: Set<String>? = nil) throws -> [Constraints: WallTime] {
        let paused = try pausedQueues()
        var earliest: [Constraints: WallTime] = [:]
        func consider(_ lane: Lane, _ due: WallTime) {
            guard !paused.contains(lane.queue), due != .distantFuture, onlyWorkers?.contains(lane.worker) != false
            else { return }
            earliest[lane.constraints] = min(earliest[lane.constraints] ?? due, due)
        }
        for shelf in try shelves() {
            let due = try connection.first(
                Self.nextOnShelf, .int(shelf.priority.rawValue), .int(shelf.number), .int(Int64.min)
            ) { WallTime(milliseconds: $0.int(0)) }
            if let due { consider(shelf.lane, due) }
        }
        let suspect = try connection.first(
            "SELECT due, lane FROM work WHERE state = 1 AND deaths >= 2 ORDER BY due, seq LIMIT 1"
        ) { ($0.int(0), $0.int(1)) }
        if let suspect { consider(try lanes.lane(suspect.1), WallTime(milliseconds: suspect.0)) }
        let expiry = try connection.first(
            "SELECT expires FROM work WHERE expires IS NOT NULL ORDER BY expires LIMIT 1"
        ) { WallTime(milliseconds: $0.int(0)) }
        if let expiry { earliest[[]] = min(earliest[[]] ?? expiry, expiry) }
        return earliest
    }

    /// What this owner runs, as the database has it.
    package func runningKeys(owner: Int64) throws -> Set<TransferKey> {
        var keys: Set<TransferKey> = []
        try connection.rows("SELECT id, generation FROM work WHERE owner = ? AND state = 2", .int(owner)) {
            keys.insert(TransferKey(workID: $0.text(0), generation: $0.int(1)))
        }
        return keys
    }
}
