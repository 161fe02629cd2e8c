import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers

/// Transfers that are followed together: the work items with the group's tag. ``BackgroundSessionManager/group(_:)``
/// creates one.
///
/// ```swift
/// for film in films {
///     var download = DownloadConfiguration(url: film.url, savePath: film.path)
///     download.options.group = "films"
///     try await scheduler.backgroundSessions.enqueueDownload(configuration: download, id: film.id)
/// }
/// let outcome = try await scheduler.backgroundSessions.group("films").outcome()
/// print("\(outcome.succeeded.count) of \(outcome.members.count) films are here")
/// ```
///
/// All of it is read from the store, so it holds across restarts, and what is enqueued later with the same label
/// belongs to the group as well. Members count as long as the store retains them
/// (``WorkScheduler/Configuration/retainedEvents``). Recurring work never finishes, so a group with it does not
/// finish either.
public struct TransferGroup: Sendable {
    /// The prefix of a group's tag.
    package static let tagPrefix = "BackgroundWork.group:"

    /// The tag of a group's work items. `enqueueDownload` and `enqueueUpload` set it; add it to the tags of requests
    /// that you create yourself, such as those of a chain.
    public static func tag(for group: String) -> String { tagPrefix + group }

    /// The label.
    public let name: String
    let scheduler: WorkScheduler

    /// The group's progress now. Throws the database's errors.
    public func state() async throws -> TransferGroupProgress { try await reader.read() }

    /// The group's progress, and again at each change, at most four times a second. A reader that falls behind gets
    /// the newest. Does not end when all members have finished, since more may be added; it ends with the scheduler's
    /// shutdown.
    public var progress: AsyncStream<TransferGroupProgress> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: TransferGroupProgress.self, bufferingPolicy: .bufferingNewest(1))
        let (changes, lifecycle, clock) = (scheduler.changes, scheduler.lifecycle, scheduler.configuration.clock)
        let reader = reader
        let watch = changes.watchAll()
        let task = Task {
            defer { continuation.finish() }
            var last: TransferGroupProgress?
            while !Task.isCancelled {
                // If the database cannot be read now, it is read at the next change.
                if let now = try? await reader.read(), now != last {
                    continuation.yield(now)
                    last = now
                }
                if lifecycle.isShutDown { return }
                await watch.signal.wait()
                try? await clock.sleep(for: .milliseconds(250))
            }
        }
        continuation.onTermination = { _ in
            task.cancel()
            changes.end(watch)
        }
        return stream
    }

    /// How the members have ended, once all have. If that was before this call, or in another process, it returns at
    /// once.
    ///
    /// Throws ``TransferGroupError``, the database's errors, and `CancellationError` when the task is cancelled.
    public func outcome() async throws -> TransferGroupOutcome {
        let watch = scheduler.changes.watchAll()
        defer { scheduler.changes.end(watch) }
        let (name, tag) = (name, Self.tag(for: name))
        while true {
            try Task.checkCancellation()
            let answer = try await scheduler.store.read { transaction -> TransferGroupOutcome? in
                switch try transaction.standing(ofTag: tag) {
                case .unknown: throw TransferGroupError.noMembers(group: name)
                case .unfinished: nil
                case .finished: try TransferGroupOutcome(group: name, in: transaction)
                }
            }
            if let answer { return answer }
            if scheduler.lifecycle.isShutDown { throw TransferGroupError.shutDown(group: name) }
            await watch.signal.wait()
        }
    }

    /// Cancels all unfinished members; the same as ``WorkScheduler/cancel(tag:)`` with the group's tag.
    @discardableResult
    public func cancel() async throws -> CancelResult { try await scheduler.cancel(tag: Self.tag(for: name)) }

    private var reader: TransferGroupReader {
        TransferGroupReader(group: name, store: scheduler.store, board: scheduler.transfers?.progress)
    }
}

extension BackgroundSessionManager {
    /// The transfers that were enqueued with this label in `options.group`.
    public func group(_ name: String) -> TransferGroup { TransferGroup(name: name, scheduler: scheduler) }
}

/// The progress of a group of transfers.
public struct TransferGroupProgress: Sendable, Hashable {
    /// The group's label.
    public var group: String
    /// How many members there are, whether finished or not.
    public var files = 0
    /// How many have succeeded.
    public var succeeded = 0
    /// How many have failed for good.
    public var failed = 0
    /// How many were cancelled, or skipped because their time had passed.
    public var cancelled = 0
    /// The bytes and the speed of the members, without those that have failed or were cancelled.
    public var totals = TransferTotals()

    /// Whether there are members, and all have finished.
    public var isFinished: Bool { files > 0 && succeeded + failed + cancelled == files }
}

/// How the members of a group have ended.
public struct TransferGroupOutcome: Sendable, Hashable {
    /// One member.
    public struct Member: Sendable, Hashable {
        /// The id of its work item.
        public var workID: String
        /// How it ended.
        public var outcome: WorkOutcome
        /// The message about it; on failure, why.
        public var message: String?
        /// Its output, as in its event.
        public var outputJSON: String?
    }

    /// The group's label.
    public var group: String
    /// All members, in the order of enqueueing.
    public var members: [Member]

    /// Those that have succeeded.
    public var succeeded: [Member] { members.filter { $0.outcome == .succeeded } }
    /// Those that have not: failed, cancelled or skipped.
    public var unsuccessful: [Member] { members.filter { $0.outcome != .succeeded } }

    private static let pageSize = 1000

    init(group: String, in transaction: WorkSnapshot) throws {
        self.group = group
        members = []
        var query = WorkQuery(tags: [TransferGroup.tag(for: group)], limit: Self.pageSize)
        while true {
            let page = try transaction.records(matching: query)
            members += page.compactMap { record in
                record.status.state.outcome.map {
                    Member(workID: record.id, outcome: $0, message: record.message, outputJSON: record.outputJSON)
                }
            }
            guard page.count == Self.pageSize else { return }
            query.after = page.last?.sequence
        }
    }
}

/// The outcome of a group cannot be determined.
public enum TransferGroupError: Error, Hashable, CustomStringConvertible {
    /// No retained work has the group's tag.
    case noMembers(group: String)
    /// The scheduler was shut down before the last member had finished; ask the next scheduler.
    case shutDown(group: String)

    /// What is missing, and what to do.
    public var description: String {
        switch self {
        case .noMembers(let group):
            "The group \"\(group)\" has no members. Enqueue transfers with this label in options.group first."
        case .shutDown(let group):
            "The scheduler was shut down while members of the group \"\(group)\" had not finished. "
                + "Ask the next scheduler on the directory."
        }
    }
}

extension TransferGroupError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
