import BackgroundWorkFiles

/// Runs queries on a separate connection, so that a long query never delays a commit. The connection is opened with
/// the first query, or before.
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

    /// For a `body` that runs one statement, which reads one moment by itself.
    func readOne<Value: Sendable>(_ body: @Sendable (WorkSnapshot) throws -> Value) throws -> Value {
        try body(opened())
    }

    /// Opens the connection and reads the schema while the caller continues. An error is thrown by the first query.
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
