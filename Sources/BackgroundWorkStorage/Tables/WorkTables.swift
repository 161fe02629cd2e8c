import BackgroundWorkModel

/// The tables that state moves between, with their statements. Lives on its connection's queue.
final class WorkTables: DeferredRows {
    let work: WorkTable
    let due: DueTable
    let runs: RunTable
    let parked: ParkedTable
    let carried: CarriedTable
    let events: EventTable
    let chains: ChainTables
    let tags: TagTable
    let subscribers: SubscriberTable

    init(connection: SQLiteConnection) {
        work = WorkTable(connection: connection)
        due = DueTable(connection: connection)
        runs = RunTable(connection: connection)
        parked = ParkedTable(connection: connection)
        carried = CarriedTable(connection: connection)
        events = EventTable(connection: connection)
        chains = ChainTables(connection: connection)
        tags = TagTable(connection: connection)
        subscribers = SubscriberTable(connection: connection)
        connection.deferredRows = self
    }

    func write() throws {
        try due.writeDeferred()
        try runs.writeDeferred()
        try events.writeDeferred()
        try tags.writeDeferred()
        try subscribers.writeDeferred()
    }

    func discard() {
        due.discardDeferred()
        runs.discardDeferred()
        events.discardDeferred()
        tags.discardDeferred()
        subscribers.discardDeferred()
    }
}

/// Items whose worker is done and whose outcome is not final: handed off, or the file being moved into place.
final class ParkedTable {
    private let connection: SQLiteConnection

    init(connection: SQLiteConnection) { self.connection = connection }

    /// Stores the item as the record says, and replaces its earlier row.
    func store(_ record: WorkRecord) throws {
        try connection.run(
            "INSERT OR REPLACE INTO parked VALUES (?, ?, ?, ?, ?, ?, ?, ?)", .int(record.sequence),
            .int(record.status.state.rawValue), .optional(record.owner), .int(record.status.attempt),
            .optional(record.startedAt?.milliseconds), .optional(record.message),
            .optional(record.handOffExpires?.milliseconds), .optional(record.moveJSON))
    }

    func delete(_ sequence: Int64) throws { try connection.run("DELETE FROM parked WHERE seq = ?", .int(sequence)) }
}

/// Values that items carry over from earlier attempts and occurrences. Most items finish without such a row.
final class CarriedTable {
    private let connection: SQLiteConnection

    init(connection: SQLiteConnection) { self.connection = connection }

    /// Stores all of it as the record says.
    ///
    /// - Parameter outcome: how the item has ended, when no retained event says so.
    func store(_ record: WorkRecord, outcome: WorkState? = nil) throws {
        try connection.run(
            "INSERT OR REPLACE INTO carried VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            .int(record.sequence),
            .int(record.status.generation), .int(record.status.attempt), .int(record.status.deaths),
            .int(record.due.milliseconds), .int(record.flags.subtracting(.ofRequest).rawValue),
            .int(record.occurrence), .optional(record.planned?.milliseconds),
            .optional(record.startedAt?.milliseconds), .optional(record.triggeredAt?.milliseconds),
            .optional(record.message), .optional(record.checkpoint),
            .optional(try record.progress.map { try JSONCoding.text(of: $0) }),
            .optional(outcome.map { Int64($0.rawValue) }), .optional(record.outputJSON),
            .optional(outcome == nil ? nil : record.finishedAt?.milliseconds), .int(Int64(record.status.exits)))
    }

    func delete(_ sequence: Int64) throws { try connection.run("DELETE FROM carried WHERE seq = ?", .int(sequence)) }
}

/// The tags of items.
final class TagTable {
    private let connection: SQLiteConnection
    private let inserting: MultiRowInsert
    private var deferred: [(tag: String, work: Int64)] = []
    private lazy var deleting = Result { try connection.statement("DELETE FROM tags WHERE tag = ? AND work = ?") }

    init(connection: SQLiteConnection) {
        self.connection = connection
        inserting = MultiRowInsert(into: "tags", columns: 2, connection)
    }

    func insert(_ tags: Set<String>, of work: Int64) {
        for tag in tags { deferred.append((tag, work)) }
        connection.hasDeferredRows = true
    }

    func writeDeferred() throws {
        defer { discardDeferred() }
        try inserting.insert(deferred) { statement, last, row in
            statement.bind(last + 1, row.tag)
            statement.bind(last + 2, row.work)
        }
    }

    func discardDeferred() { deferred.removeAll(keepingCapacity: true) }

    func delete(_ tags: Set<String>, of work: Int64) throws {
        let statement = try deleting.get()
        for tag in tags {
            statement.bind(1, tag)
            statement.bind(2, work)
            try statement.run()
        }
    }
}
