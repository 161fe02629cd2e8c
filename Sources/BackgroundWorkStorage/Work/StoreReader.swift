import BackgroundWorkFiles

/// Answers questions on a connection of its own, so that a long look never holds a commit back. The connection is
/// opened with the first question.
actor StoreReader {
    private nonisolated let executor = DispatchQueueExecutor(label: "BackgroundWork.StoreReader")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let path: String
    private let settings: StoreSettings
    private var connection: SQLiteConnection?

    init(path: String, settings: StoreSettings) {
        self.path = path
        self.settings = settings
    }

    /// All that `body` reads is of one moment.
    func read<Value: Sendable>(_ body: @Sendable (WorkTransaction) throws -> Value) throws -> Value {
        let connection = try self.connection ?? SQLiteConnection(path: path, mode: .readOnly)
        self.connection = connection
        let transaction = WorkTransaction(
            connection: connection, lanes: LaneTable(connection: connection), settings: settings)
        return try connection.transaction(.deferred) { try body(transaction) }
    }
}
