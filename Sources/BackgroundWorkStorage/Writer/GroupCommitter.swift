import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkSystem
import Dispatch
import Synchronization

/// The one writer of a scheduler: all queued operations go into one transaction and one fsync.
///
/// After each commit, in this order: the commit is reported (``CommitSummary``), on the writer's queue, and then the
/// callers of the operations get their results; many callers are answered outside of that queue. So a caller that has
/// its answer knows that all consequences of the commit have been reported as well, and reports come in the order of
/// the commits.
package actor GroupCommitter {
    private struct Waiting: ~Copyable {
        var operations: [WriteOperation] = []
        var isDraining = false
    }

    /// How long the operations of one transaction may take together before it is committed, so that a large number of
    /// operations does not delay the first ones. Checked every ``stride`` operations, which is also the most that are
    /// run together.
    private static let longestTransaction = Duration.milliseconds(20)
    private static let stride = 64
    /// How long the ends of a few runs are held so that those of others are committed in the same transaction, in
    /// microseconds. Less than the duration of a commit.
    private static let pauseForEnds: UInt32 = 60
    /// With fewer runs than this none is held.
    private static let worthWaitingFor = 4
    /// Larger groups are not held.
    private static let largestToWait = 64
    /// This many callers or more are answered outside of the writer's queue, which continues meanwhile; fewer, at
    /// once.
    private static let manyCallers = 32
    /// After this many operations in a row that fail alone as well, the rest of a group is not tried.
    private static let patience = 3

    package nonisolated let executor: DispatchQueueExecutor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private nonisolated let waiting = Mutex(Waiting())
    private nonisolated let ownLockFile = Mutex<String?>(nil)
    private nonisolated let claimer = Mutex<Claimer>(Claimer())
    /// The queue on which many callers are answered, and their operations are freed.
    private nonisolated let answering = DispatchQueue(label: "BackgroundWork.Answers")
    let connection: SQLiteConnection
    private let transaction: WorkTransaction
    /// The newest event that was reported; earlier events of other processes are reported with the next one.
    private var newestTold: Int64
    private let committed: @Sendable (CommitSummary) -> Void
    var logEmptying = LogEmptying()
    /// Storage of the groups, reused so that none is allocated for each group.
    private var spare: [WriteOperation] = []
    private var outcomes: [WriteOperation.Outcome] = []

    private struct Claimer {
        weak var claimer: (any WorkClaimer)?
    }

    /// - Parameter committed: called on the writer's queue after each commit, before any caller gets its result.
    init(
        connection: sending SQLiteConnection, executor: DispatchQueueExecutor, settings: StoreSettings,
        newestEvent: Int64, committed: @escaping @Sendable (CommitSummary) -> Void
    ) {
        self.connection = connection
        transaction = WorkTransaction(connection: connection, settings: settings)
        self.executor = executor
        newestTold = newestEvent
        self.committed = committed
    }

    /// Runs `body` in the next transaction and returns its result once that is durable.
    ///
    /// `body` may run twice: when its group fails, each operation is retried in a separate transaction. It must throw
    /// its own errors before it writes anything.
    package nonisolated func write<Value: Sendable>(
        _ body: @escaping @Sendable (WorkTransaction) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            submit(.perform(.init(AwaitedWrite(body: body, continuation: continuation))))
        }
    }

    nonisolated func submit(_ operation: WriteOperation) {
        let mustDrain = waiting.withLock { waiting in
            waiting.operations.append(operation)
            defer { waiting.isDraining = true }
            return !waiting.isDraining
        }
        if mustDrain { executor.holdable.async { self.assumeIsolated { $0.drain() } } }
    }

    private func drain() {
        while true {
            if executor.holdable.isAsked {
                let hasMore = waiting.withLock { waiting in
                    waiting.isDraining = !waiting.operations.isEmpty
                    return waiting.isDraining
                }
                if hasMore { executor.holdable.async { self.assumeIsolated { $0.drain() } } }
                return
            }
            var group = spare
            spare = []
            waiting.withLock { waiting in
                swap(&waiting.operations, &group)
                waiting.isDraining = !group.isEmpty
            }
            if group.isEmpty {
                spare = group
                return
            }
            if mayWaitForMore(group) {
                usleep(Self.pauseForEnds)
                waiting.withLock { waiting in
                    group += waiting.operations
                    waiting.operations.removeAll(keepingCapacity: true)
                }
            }
            var next = 0
            while next < group.count { next = commit(group, from: next) }
            if group.count < Self.manyCallers {
                group.removeAll(keepingCapacity: true)
                spare = group
            } else {
                answering.async { [group] in withExtendedLifetime(group) {} }
                spare.reserveCapacity(group.count)
            }
        }
    }

    /// Under a limit each commit lets as many runs start as have ended before it. If the first end were committed at
    /// once, one run would be committed alone, then the others, and so on: twice as many commits.
    private func mayWaitForMore(_ group: [WriteOperation]) -> Bool {
        guard group.count < Self.largestToWait, let claimer = claimer.withLock({ $0.claimer }) else { return false }
        return claimer.runsAboutToEnd() >= Self.worthWaitingFor
    }

    /// Commits as many of the operations together as time allows, and returns the first remaining one.
    private func commit(_ group: [WriteOperation], from first: Int) -> Int {
        do {
            let end = try commitTogether(group, from: first)
            settle(group, from: first)
            return end
        } catch {
            return retryAlone(group, from: first, after: error)
        }
    }

    private func settle(_ group: [WriteOperation], from first: Int) {
        let claimer = claimer.withLock { $0.claimer }
        let isCrowd = outcomes.count >= Self.manyCallers
        var answers: [WriteOperation.Answer] = []
        for (offset, outcome) in outcomes.enumerated() {
            if isCrowd, case .enqueue(let caller) = group[first + offset], case .enqueued(let answer) = outcome {
                answers.append(.init(caller: caller, answer: answer))
            } else {
                group[first + offset].settle(outcome, claimer)
            }
        }
        outcomes.removeAll(keepingCapacity: true)
        if !answers.isEmpty {
            answering.async { [answers] in
                for one in answers { one.caller.continuation.resume(returning: one.answer) }
            }
        }
    }

    /// One operation that cannot be stored must not prevent the others from being stored. An error of the system
    /// itself, or of a peer that holds the lock, fails all of them.
    private func retryAlone(_ group: [WriteOperation], from first: Int, after error: any Error) -> Int {
        outcomes.removeAll(keepingCapacity: true)
        var failures = (error as? SQLiteError)?.isLocked ?? false ? Self.patience : 0
        var last = error
        for index in first..<group.count {
            if failures >= Self.patience || (group.count == first + 1) {
                group[index].fail(last, claimer.withLock { $0.claimer })
                continue
            }
            do {
                _ = try commitTogether(group, from: index, only: true)
                settle(group, from: index)
                failures = 0
            } catch {
                outcomes.removeAll(keepingCapacity: true)
                group[index].fail(error, claimer.withLock { $0.claimer })
                failures = (error as? SQLiteError)?.isLocked ?? false ? Self.patience : failures + 1
                last = error
            }
        }
        return group.count
    }

    /// - Parameter only: whether no other operation is added to the transaction.
    /// - Returns: the first operation that remains for the next transaction.
    private func commitTogether(_ group: [WriteOperation], from first: Int, only: Bool = false) throws -> Int {
        transaction.begin(claimer.withLock { $0.claimer }?.claimRules())
        let start = ContinuousClock.now
        var next = first
        do {
            try connection.begin()
            let end = only ? first + 1 : group.count
            var looked = first
            while next < end {
                if next - looked >= Self.stride {
                    looked = next
                    if start.duration(to: .now) >= Self.longestTransaction { break }
                }
                next = try run(group[next..<min(end, next + Self.stride)])
            }
            try transaction.claimDueWork()
            try transaction.noteOtherSchedulers(than: ownLockFile.withLock { $0 })
            try transaction.addEventsOfOthers(after: newestTold)
            try connection.commit()
        } catch {
            connection.rollBack()
            transaction.forget()
            throw error
        }
        let summary = transaction.finished()
        if summary.hasRemovedSecrets { planEmptying(logEmptying.want()) }
        let told = summary.events.last ?? summary.eventsOfOthers.last
        if let told { newestTold = told.sequence }
        committed(summary)
        return next
    }

    /// Runs the first of some operations, and with it those after it that cost less together. Returns the index of
    /// the first remaining one.
    private func run(_ group: ArraySlice<WriteOperation>) throws -> Int {
        let first = group.startIndex
        var end = first
        switch group[first] {
        case .enqueue:
            var requests: [PreparedEnqueue] = []
            while end < group.endIndex, case .enqueue(let caller) = group[end] {
                requests.append(caller.request)
                end += 1
            }
            guard requests.count > 1 else { break }
            try transaction.enqueue(requests) { outcomes.append(.init($0)) }
            return end
        case .endRun:
            var ends: [WorkTransaction.PlainEnd] = []
            while end < group.endIndex, case .endRun(let result) = group[end],
                let plain = transaction.plainEnd(of: result)
            {
                ends.append(plain)
                end += 1
            }
            guard ends.count > 1 else { break }
            let left = try transaction.endTogether(ends)
            for offset in ends.indices {
                outcomes.append(left.contains(offset) ? try group[first + offset].run(in: transaction) : .done)
            }
            return end
        case .perform: break
        }
        outcomes.append(try group[first].run(in: transaction))
        return first + 1
    }

    /// Sets this scheduler's name among those on the directory.
    nonisolated func setOwnLockFile(_ name: String) { ownLockFile.withLock { $0 = name } }

    /// From now on transactions claim work for `other`, which is not kept alive.
    nonisolated func connect(_ other: any WorkClaimer) { claimer.withLock { $0.claimer = other } }
}
