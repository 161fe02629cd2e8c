import BackgroundWorkModel

/// One thing to be done in a transaction of the writer.
enum WriteOperation: Sendable {
    case enqueue(Enqueueing)
    /// The end of a run. Nobody waits for it; the scheduler behind the writer is told.
    case endRun(RunResult)
    case perform(Performing)

    /// One request to be stored. Apart from the other verbs, because there are most of it.
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

    /// Any other verb. A reference as well, so that an operation is one word to be moved around.
    final class Performing: Sendable {
        let write: any PerformedWrite

        init(_ write: any PerformedWrite) { self.write = write }
    }

    /// What became of a request, for whoever waits for that.
    struct Answer: Sendable {
        var caller: Enqueueing
        var answer: WorkTransaction.EnqueueAnswer
    }

    /// How an operation has come out, before it is known whether its transaction is committed.
    enum Outcome {
        case done
        case enqueued(WorkTransaction.EnqueueAnswer)
        /// Hands the result over.
        case settles(() -> Void)
        /// It threw an error of its own; the others of its transaction are not concerned.
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

    /// Tells who waits, now that it is committed.
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

/// Any other verb, with whoever waits for its result.
protocol PerformedWrite: Sendable {
    /// Returns what hands the result over, once that is durable.
    func perform(in transaction: WorkTransaction) throws -> () -> Void
    func fail(_ error: any Error)
}

/// A verb with the continuation of its caller.
struct AwaitedWrite<Value: Sendable>: PerformedWrite {
    var body: @Sendable (WorkTransaction) throws -> Value
    var continuation: CheckedContinuation<Value, any Error>

    func perform(in transaction: WorkTransaction) throws -> () -> Void {
        let value = try body(transaction)
        return { continuation.resume(returning: value) }
    }

    func fail(_ error: any Error) { continuation.resume(throwing: error) }
}

/// A verb of which somebody wants to hear on the writer's queue.
struct ReportedWrite: PerformedWrite {
    var body: @Sendable (WorkTransaction) throws -> Void
    var settled: @Sendable ((any Error)?) -> Void

    func perform(in transaction: WorkTransaction) throws -> () -> Void {
        try body(transaction)
        return { settled(nil) }
    }

    func fail(_ error: any Error) { settled(error) }
}
