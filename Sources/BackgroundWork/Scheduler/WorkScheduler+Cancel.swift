import BackgroundWorkModel
import BackgroundWorkStorage

extension WorkScheduler {
    /// How many items of a large cancellation one transaction cancels.
    private static let cancelBatch = 1000

    /// Cancels the work item or the chain with this id, and what waits for its end. Durable when it returns.
    ///
    /// Each item that had not finished ends as cancelled, with its event. A running worker's task is cancelled and
    /// its result ignored, also in another process; a transfer that was handed off is cancelled with the daemon, as
    /// soon as the daemon can be reached.
    @discardableResult
    public func cancel(id: String) async throws -> CancelResult {
        let now = WallTime(configuration.clock.now)
        switch try await store.write({ try $0.cancel(id: id, now: now) }) {
        case .cancelled(let items): return .cancelled(items: items)
        case .tooLate: return .tooLate
        case .alreadyFinished: return .alreadyFinished
        case .unknown: return .unknown
        }
    }

    /// Cancels all unfinished work with a tag, otherwise as ``cancel(id:)``. ``CancelResult/unknown`` if there is
    /// none. Large numbers are cancelled in several transactions of a thousand each.
    @discardableResult
    public func cancel(tag: String) async throws -> CancelResult { try await cancel(.tag(tag)) }

    /// Cancels all unfinished work of a worker, by the name that the requests use; otherwise as ``cancel(tag:)``.
    @discardableResult
    public func cancel(workerClassName: String) async throws -> CancelResult {
        try await cancel(.workerName(workerClassName))
    }

    /// Cancels all unfinished work; otherwise as ``cancel(tag:)``.
    @discardableResult
    public func cancelAll() async throws -> CancelResult { try await cancel(.all) }

    private func cancel(_ scope: WorkTransaction.CancelScope) async throws -> CancelResult {
        var total = 0
        var place: Int64? = 0
        while let start = place {
            let now = WallTime(configuration.clock.now)
            let (cancelled, next) = try await store.write {
                try $0.cancel(scope, after: start, limit: Self.cancelBatch, now: now)
            }
            total += cancelled
            place = next
        }
        return total == 0 ? .unknown : .cancelled(items: total)
    }

    /// Retries what has failed, was cancelled or skipped: the item with this id, or every such member of a chain.
    /// Members after it that had not started wait again. Durable when it returns.
    ///
    /// It starts again with all its attempts, and ends with a new event.
    ///
    /// Throws ``RetryError`` when that would need what was deleted: the secrets of a transfer go when it ends.
    @discardableResult
    public func retry(id: String) async throws -> RetryResult {
        let now = WallTime(configuration.clock.now)
        do {
            switch try await store.write({ try $0.revive(id: id, now: now) }) {
            case .revived(let items): return .retried(items: items)
            case .nothingFailed: return .nothingFailed
            case .unknown: return .unknown
            }
        } catch let error as SecretsRemovedError {
            throw RetryError.secretsRemoved(ids: error.ids)
        }
    }
}

/// What a cancellation did.
public enum CancelResult: Sendable, Hashable {
    /// The number of items that were cancelled; each has its event.
    case cancelled(items: Int)
    /// Its file is being moved into place just now; it will finish as succeeded.
    case tooLate
    /// It had finished before.
    case alreadyFinished
    /// There is no such work.
    case unknown
}

/// What a manual retry did.
public enum RetryResult: Sendable, Hashable {
    /// The number of items that run again, or wait again for those that do.
    case retried(items: Int)
    /// None of it has failed, was cancelled or skipped; nothing changed.
    case nothingFailed
    /// There is no such work, or it is no longer retained.
    case unknown
}
