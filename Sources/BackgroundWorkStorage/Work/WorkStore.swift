import BackgroundWorkFiles
import BackgroundWorkFoundation
import BackgroundWorkModel

/// The durable store of work items, events and subscribers: one SQLite file in WAL mode.
package final class WorkStore: Sendable {
    /// This database's identity; a newly created store has another.
    package let identity: String
    /// Where a damaged database was put, if one was found.
    package let setAside: String?
    private let committer: GroupCommitter
    private let reader: StoreReader
    private let triggers: TriggerRules
    private let securityPolicy: SecurityPolicy

    /// Opens the store, migrating its schema, or creates a new one. Blocks the calling thread.
    ///
    /// A file that is damaged or not a database is renamed to `<path>.corrupt-<time>` and a new one created, unless
    /// another process uses it or the system cannot read it (``DatabaseFile``). Throws ``SchemaTooNewError`` for the
    /// file of a later program, which is left as it is.
    ///
    /// - Parameters:
    ///   - user: describes what uses the file; called only for a file that seems damaged.
    ///   - committed: called on the writer's queue after each commit.
    package init(
        path: String, settings: StoreSettings, now: Date, user: @escaping () throws -> String? = { nil },
        committed: @escaping @Sendable (CommitSummary) -> Void
    ) throws {
        let isLogLeft = LogEmptying.isLeft(byLogOf: path)
        // Two processes that find the file damaged must not set each other's new file aside.
        let lock = try AdvisoryLock(path: path + ".lock", contention: .wait)
        defer { withExtendedLifetime(lock) {} }
        let (connection, setAside) = try DatabaseFile(path: path, user: user).open(at: now) { try Self.connect(path) }
        identity = try Self.identity(of: connection)
        self.setAside = setAside
        triggers = settings.triggers
        securityPolicy = settings.securityPolicy
        let newestEvent = try connection.first("SELECT max(seq) FROM events") { $0.int(0) } ?? 0
        reader = StoreReader(path: path, settings: settings)
        committer = GroupCommitter(
            connection: connection, executor: DispatchQueueExecutor(label: "BackgroundWork.WorkStore"),
            settings: settings, newestEvent: newestEvent, committed: committed)
        if isLogLeft { committer.emptyLogSoon() }
    }

    /// Sets the lock file name of the scheduler that writes here, so that commits can notify the others.
    package func setOwnLockFile(_ name: String) { committer.setOwnLockFile(name) }

    /// From now on each commit claims due work for `claimer`, as far as it has free slots.
    package func connect(_ claimer: any WorkClaimer) { committer.connect(claimer) }

    /// Empties the write-ahead log now, if what it has was removed from the database. For the end of a scheduler.
    ///
    /// - Parameter ended: called on the writer's queue, whether or not it could be emptied.
    package func emptyLogAtEnd(ended: @escaping @Sendable () -> Void) { committer.emptyLogAtEnd(ended: ended) }

    /// The queue of the transactions. While it is held, commits wait.
    package var writerQueue: HoldableQueue { committer.executor.holdable }

    /// Prepares a request to be stored.
    package func item(
        _ request: TaskRequest, _ trigger: TaskTrigger, id: String, fileStamp: String? = nil, now: WallTime
    ) throws -> NewItem {
        try NewItem(
            request, trigger, id: id, fileStamp: fileStamp, now: now, triggers, securityPolicy: securityPolicy)
    }

    /// Stores one request. Durable when it returns.
    package nonisolated(nonsending) func enqueue(
        _ item: NewItem, _ policy: ExistingWorkPolicy, now: WallTime
    ) async throws -> WorkTransaction.EnqueueAnswer {
        try await withUnsafeThrowingContinuation { continuation in
            committer.submit(.enqueue(.init(PreparedEnqueue(item, policy, now: now), continuation)))
        }
    }

    /// Stores how a run has ended, in the next transaction. The claimer is informed when it is durable.
    package func endRun(_ result: RunResult) { committer.submit(.endRun(result)) }

    /// Makes a claim pass with the next transaction.
    ///
    /// - Parameter settled: called on the writer's queue afterwards.
    package func requestClaim(settled: @escaping @Sendable ((any Error)?) -> Void) {
        write({ $0.mayHaveDueWork = true }, settled: settled)
    }

    /// Runs `body` in the next transaction, for callers that cannot wait in a task.
    ///
    /// - Parameter settled: called on the writer's queue once it is durable, or with the error that prevented it.
    package func write(
        _ body: @escaping @Sendable (WorkTransaction) throws -> Void,
        settled: @escaping @Sendable ((any Error)?) -> Void
    ) {
        committer.submit(.perform(.init(ReportedWrite(body: body, settled: settled))))
    }

    /// Opens the reading connection in the background, which takes milliseconds.
    package func prepareToRead() { reader.prepare() }

    /// Runs `body` on a connection that only reads, in parallel to the writer: it sees what was committed before.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (WorkSnapshot) throws -> Value
    ) async throws -> Value {
        try await reader.read(body)
    }

    /// For a `body` that runs a single statement: it needs no transaction.
    package func readOne<Value: Sendable>(
        _ body: @escaping @Sendable (WorkSnapshot) throws -> Value
    ) async throws -> Value {
        try await reader.readOne(body)
    }

    /// Runs `body` in the next transaction, together with other queued operations; durable when it returns.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (WorkTransaction) throws -> Value
    ) async throws -> Value {
        try await committer.write(body)
    }

    private static func connect(_ path: String) throws -> sending SQLiteConnection {
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        try WorkSchema.migrator.migrate(connection)
        try WorkSchema.probe(connection)
        return connection
    }

    private static func identity(of connection: SQLiteConnection) throws -> String {
        try connection.transaction {
            let query = "SELECT value FROM meta WHERE key = ?"
            if let known = try connection.first(query, .text(MetaKey.store), body: { $0.text(0) }) { return known }
            let made = UUID().uuidString.lowercased()
            try connection.run("INSERT INTO meta (key, value) VALUES (?, ?)", .text(MetaKey.store), .text(made))
            return made
        }
    }
}

/// The part of its scheduler's configuration that the store needs.
package struct StoreSettings: Sendable {
    /// How many events are kept.
    package var retainedEvents: Int
    /// The maximum age of an event, in milliseconds; `nil` for any age.
    package var retainedAgeMs: Int64?
    /// When the occurrences of triggers are due.
    package var triggers: TriggerRules
    /// Whether commits report what was enqueued, and which chains ended.
    package var recordsTelemetry: Bool
    /// Of the requests accepted here.
    package var securityPolicy: SecurityPolicy
    /// Whether a run of this worker, by its name as requested, may leave a transfer with the daemon.
    package var mayLeaveTransfers: @Sendable (String) -> Bool
    /// Which inputs have secrets that are removed when their items end.
    package var secrets: SecretInputs

    package init(
        retainedEvents: Int, retainedAgeMs: Int64? = nil, triggers: TriggerRules, recordsTelemetry: Bool = false,
        securityPolicy: SecurityPolicy = .publicInternet,
        mayLeaveTransfers: @escaping @Sendable (String) -> Bool = { _ in true },
        secrets: SecretInputs = .none
    ) {
        self.retainedEvents = retainedEvents
        self.retainedAgeMs = retainedAgeMs
        self.triggers = triggers
        self.recordsTelemetry = recordsTelemetry
        self.securityPolicy = securityPolicy
        self.mayLeaveTransfers = mayLeaveTransfers
        self.secrets = secrets
    }
}

/// Which inputs have secrets. The store does not know what an input means.
package struct SecretInputs: Sendable {
    package static let none = SecretInputs(mayBeOf: { _ in false }, removed: { _ in nil })

    /// Whether inputs of this worker, by its name as requested, may have secrets.
    var mayBeOf: @Sendable (String) -> Bool
    /// The input without its secrets; `nil` if it has none.
    var removed: @Sendable (String) -> String?

    package init(
        mayBeOf: @escaping @Sendable (String) -> Bool, removed: @escaping @Sendable (String) -> String?
    ) {
        self.mayBeOf = mayBeOf
        self.removed = removed
    }
}

/// The names of single values that the work database keeps.
package enum MetaKey {
    /// This database's identity; a new one has another.
    package static let store = "store"
    /// New items get generations above it.
    package static let generationFloor = "generation_floor"
    /// New rows get numbers above it.
    package static let sequenceFloor = "sequence_floor"
    /// The newest known journal of the agent.
    package static let agentEpoch = "agent_epoch"
    /// The wall clock's time at the last comparison with the monotonic clock.
    package static let clockWall = "clock_wall"
    package static let clockStart = "clock_start"
    package static let clockBoot = "clock_boot"
}
