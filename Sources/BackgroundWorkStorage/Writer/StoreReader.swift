import BackgroundWorkFiles

/// Answers questions on a connection of its own, so that a long look never holds a commit back. The connection is
/// opened with the first question.
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
        let snapshot =
            try self.snapshot
            ?? WorkSnapshot(connection: SQLiteConnection(path: path, mode: .readOnly), settings: settings)
        self.snapshot = snapshot
        return try snapshot.connection.transaction(.deferred) { try body(snapshot) }
    }
}
