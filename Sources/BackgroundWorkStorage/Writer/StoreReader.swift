import BackgroundWorkFiles

/// Answers questions on a connection of its own, so that a long look never holds a commit back. The connection is
/// opened with the first question, or before.
actor StoreReader {
    private nonisolated let executor = DispatchQueueExecutor(label: "BackgroundWork.StoreReader")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let path: String
    private let settings: StoreSettings
    private var snapshot: WorkSnapshot?

    init(path: String, settings: StoreSettings) {
        self.path = path
        self.settings = settings
    }

    /// All that `body` reads is of one moment.
    func read<Value: Sendable>(_ body: @Sendable (WorkSnapshot) throws -> Value) throws -> Value {
        let snapshot = try opened()
        return try snapshot.connection.transaction(.deferred) { try body(snapshot) }
    }

    /// The same for a `body` that runs one statement, which sees one moment by itself.
    func readOne<Value: Sendable>(_ body: @Sendable (WorkSnapshot) throws -> Value) throws -> Value {
        try body(opened())
    }

    /// Opens the connection and reads the schema beside whatever the caller goes on with. What fails is told by the first
    /// question.
    nonisolated func prepare() {
        executor.queue.async {
            self.assumeIsolated { reader in
                _ = try? reader.opened().connection.first("SELECT 1 FROM work LIMIT 1") { _ in }
            }
        }
    }

    private func opened() throws -> WorkSnapshot {
        if let snapshot { return snapshot }
        let opened = WorkSnapshot(
            connection: try SQLiteConnection(path: path, mode: .readOnly), settings: settings)
        snapshot = opened
        return opened
    }
}
