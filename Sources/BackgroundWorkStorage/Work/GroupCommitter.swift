import BackgroundWorkFiles
import BackgroundWorkModel
import Synchronization

/// The one writer of a process: everything that waits when it comes round goes into one transaction and one fsync.
///
/// An operation's result reaches its caller only after the commit that holds it.
package actor GroupCommitter {
    private struct Operation: Sendable {
        /// Runs inside a transaction; keeps its result for `settle`.
        var run: @Sendable (WorkTransaction) throws -> Void
        /// Reports the result, or the error that kept it from being committed.
        var settle: @Sendable ((any Error)?) -> Void
    }

    private struct Waiting: ~Copyable {
        var operations: [Operation] = []
        var isDraining = false
    }

    /// The most operations that share a transaction, so that a flood does not hold the first ones back.
    private static let largestGroup = 1024

    package nonisolated let executor: DispatchQueueExecutor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private nonisolated let waiting = Mutex(Waiting())
    private let connection: SQLiteConnection
    private let lanes: LaneTable
    private let settings: StoreSettings
    /// The newest event that was told of; those of other processes before it are told with the next one.
    private var newestTold: Int64
    private nonisolated let ownLockFile = Mutex<String?>(nil)
    private let committed: @Sendable (CommitSummary) -> Void

    /// - Parameter committed: called on the writer's queue after each commit, before any caller hears of it.
    init(
        connection: sending SQLiteConnection, executor: DispatchQueueExecutor, settings: StoreSettings,
        newestEvent: Int64, committed: @escaping @Sendable (CommitSummary) -> Void
    ) {
        self.connection = connection
        lanes = LaneTable(connection: connection)
        self.executor = executor
        self.settings = settings
        newestTold = newestEvent
        self.committed = committed
    }

    /// Runs `body` in the next transaction and returns its result once that is durable.
    ///
    /// `body` may run twice: when its group fails, each operation is tried again in a transaction of its own. It must
    /// throw its own errors before it writes anything.
    package nonisolated func write<Value: Sendable>(
        _ body: @escaping @Sendable (WorkTransaction) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
            let box = OperationResult<Value>()
            enqueue(
                Operation(
                    run: { transaction in
                        do {
                            let value = try body(transaction)
                            box.store(.success(value))
                        } catch let error as SQLiteError {
                            throw error
                        } catch {
                            box.store(.failure(error))
                        }
                    },
                    settle: { error in continuation.resume(with: error.map(Result.failure) ?? box.take()) }))
        }
    }

    private nonisolated func enqueue(_ operation: Operation) {
        let mustDrain = waiting.withLock { waiting in
            waiting.operations.append(operation)
            defer { waiting.isDraining = true }
            return !waiting.isDraining
        }
        if mustDrain { executor.queue.async { self.assumeIsolated { $0.drain() } } }
    }

    private func drain() {
        while true {
            let group = waiting.withLock { waiting -> [Operation] in
                if waiting.operations.count <= Self.largestGroup {
                    defer { waiting.operations.removeAll(keepingCapacity: true) }
                    waiting.isDraining = !waiting.operations.isEmpty
                    return waiting.operations
                }
                let group = Array(waiting.operations.prefix(Self.largestGroup))
                waiting.operations.removeFirst(Self.largestGroup)
                return group
            }
            if group.isEmpty { return }
            commit(group)
        }
    }

    private func commit(_ group: [Operation]) {
        do {
            try commitTogether(group)
            for operation in group { operation.settle(nil) }
        } catch {
            if group.count == 1 {
                group[0].settle(error)
            } else {
                for operation in group { commit([operation]) }
            }
        }
    }

    private func commitTogether(_ group: [Operation]) throws {
        let transaction = WorkTransaction(connection: connection, lanes: lanes, settings: settings)
        do {
            try connection.transaction {
                for operation in group { try operation.run(transaction) }
                try transaction.noteWhoElse(than: ownLockFile.withLock { $0 })
                try transaction.addEventsOfOthers(after: newestTold)
            }
        } catch {
            lanes.forget()
            throw error
        }
        let told = transaction.summary.events.last ?? transaction.summary.eventsOfOthers.last
        if let told { newestTold = told.sequence }
        committed(transaction.summary)
    }

    /// Names this scheduler among those on the directory.
    nonisolated func setOwnLockFile(_ name: String) { ownLockFile.withLock { $0 = name } }
}
