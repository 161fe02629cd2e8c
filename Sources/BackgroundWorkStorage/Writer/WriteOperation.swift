import BackgroundWorkModel

/// One operation in a transaction of the writer.
enum WriteOperation: Sendable {
    case enqueue(Enqueueing)
    /// The end of a run. No caller waits for it; the scheduler behind the writer is informed.
    case endRun(RunResult)
    case perform(Performing)

    /// One request to be stored. Separate from the other operations, because it is the most frequent one.
    final class Enqueueing: Sendable {
        let request: PreparedEnqueue
        /// Resumed exactly once, by the settlement of its operation.
        let continuation: UnsafeContinuation<WorkTransaction.EnqueueAnswer, any Error>

        init(
            _ request: PreparedEnqueue, _ continuation: UnsafeContinuation<WorkTransaction.EnqueueAnswer, any Error>
        ) {
            self.request = request
            self.continuation = continuation
        }
    }

    /// Any other operation. A reference as well, so that an operation is one word to move.
    final class Performing: Sendable {
        let write: any PerformedWrite

        init(_ write: any PerformedWrite) { self.write = write }
    }

    /// The result of a request, for the waiting caller.
    struct Answer: Sendable {
        var caller: Enqueueing
        var answer: WorkTransaction.EnqueueAnswer
    }

    /// The result of an operation, before its transaction is committed.
    enum Outcome {
        case done
        case enqueued(WorkTransaction.EnqueueAnswer)
        /// Passes the result on.
        case settles(() -> Void)
        /// It threw its own error; the other operations of its transaction are not affected.
        case refused(any Error)

        init(_ answer: Result<WorkTransaction.EnqueueAnswer, any Error>) {
            switch answer {
            case .success(let answer): self = .enqueued(answer)
            case .failure(let error): self = .refused(error)
            }
        }
    }

    /// - Throws: SQLite's errors, which concern the whole transaction.
    func run(in transaction: WorkTransaction) throws -> Outcome {
        do {
            switch self {
            case .enqueue(let operation):
                return .enqueued(try transaction.enqueue(operation.request))
            case .endRun(let result):
                try transaction.endRun(result)
                return .done
            case .perform(let operation): return .settles(try operation.write.perform(in: transaction))
            }
        } catch let error as SQLiteError {
            throw error
        } catch {
            return .refused(error)
        }
    }

    /// Informs the waiting caller, now that the transaction is committed.
    func settle(_ outcome: Outcome, _ claimer: (any WorkClaimer)?) {
        switch (self, outcome) {
        case (_, .refused(let error)): fail(error, claimer)
        case (.enqueue(let operation), .enqueued(let answer)): operation.continuation.resume(returning: answer)
        case (.endRun(let result), _): claimer?.runIsStored(result, nil)
        case (_, .settles(let handOver)): handOver()
        case (.enqueue, _), (.perform, _): break
        }
    }

    func fail(_ error: any Error, _ claimer: (any WorkClaimer)?) {
        switch self {
        case .enqueue(let operation): operation.continuation.resume(throwing: error)
        case .endRun(let result): claimer?.runIsStored(result, error)
        case .perform(let operation): operation.write.fail(error)
        }
    }
}

/// Any other operation, with the caller that waits for its result.
protocol PerformedWrite: Sendable {
    /// Returns a closure that passes the result on, to be called once the result is durable.
    func perform(in transaction: WorkTransaction) throws -> () -> Void
    func fail(_ error: any Error)
}

/// An operation with the continuation of its caller.
struct AwaitedWrite<Value: Sendable>: PerformedWrite {
    var body: @Sendable (WorkTransaction) throws -> Value
    var continuation: CheckedContinuation<Value, any Error>

    func perform(in transaction: WorkTransaction) throws -> () -> Void {
        let value = try body(transaction)
        return { continuation.resume(returning: value) }
    }

    func fail(_ error: any Error) { continuation.resume(throwing: error) }
}

/// An operation whose result is reported on the writer's queue.
struct ReportedWrite: PerformedWrite {
    var body: @Sendable (WorkTransaction) throws -> Void
    var settled: @Sendable ((any Error)?) -> Void

    func perform(in transaction: WorkTransaction) throws -> () -> Void {
        try body(transaction)
        return { settled(nil) }
    }

    func fail(_ error: any Error) { settled(error) }
}
