import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers

extension WorkScheduler {
    /// The item with this id; `nil` if there is none, or it is no longer retained.
    public func info(id: String) async throws -> WorkInfo? {
        let board = transfers?.progress
        return try await store.read { transaction in
            try transaction.record(id: id).map { WorkInfo($0, try transaction.claimGroup(of: $0), board) }
        }
    }

    /// The items that match a query, in the order of enqueueing, all at one moment.
    ///
    /// For the next page put the last one's ``WorkInfo/cursor`` into ``WorkQuery/after``. A query never delays work.
    public func infos(matching query: WorkQuery) async throws -> [WorkInfo] {
        let board = transfers?.progress
        return try await store.read { transaction in
            try transaction.records(matching: query).map {
                WorkInfo($0, try transaction.claimGroup(of: $0), board)
            }
        }
    }

    /// A chain's members, in order; empty if there is no such chain.
    public func infos(chainID: String) async throws -> [WorkInfo] {
        let board = transfers?.progress
        return try await store.read { transaction in
            try transaction.records(chainID: chainID).map {
                WorkInfo($0, try transaction.claimGroup(of: $0), board)
            }
        }
    }

    /// How many requests or chains wait for the end of the work with this id.
    public func appendedCount(id: String) async throws -> Int {
        try await store.read { try $0.appendedCount(id: id) }
    }

    /// The item as it is now, and again at each change; changes that follow each other closely are merged. A change
    /// by another process is seen when that process next enqueues, finishes or cancels work.
    ///
    /// Ends after the item has finished, when it is unknown or no longer retained, and with the scheduler's shutdown.
    public func updates(id: String) -> AsyncStream<WorkInfo> {
        let watch = changes.watch(id)
        let (stream, continuation) = AsyncStream.makeStream(of: WorkInfo.self, bufferingPolicy: .bufferingNewest(16))
        let task = Task {
            defer { continuation.finish() }
            var last: WorkInfo?
            while !Task.isCancelled, let info = try? await self.info(id: id) {
                if info != last { continuation.yield(info) }
                last = info
                if info.state.isFinished || self.lifecycle.isShutDown { return }
                await watch.signal.wait()
            }
        }
        continuation.onTermination = { [changes] _ in
            task.cancel()
            changes.end(watch)
        }
        return stream
    }

    /// Finished requests and occurrences, the newest first.
    ///
    /// Kept as long as ``Configuration/retainedEvents`` and ``Configuration/retainedEventAge`` say.
    ///
    /// - Parameters:
    ///   - workID: only this item's, if given.
    ///   - before: only records before this ``ExecutionRecord/sequence``; for the next page.
    ///   - limit: how many at most.
    public func executionHistory(
        workID: String? = nil, before: Int64? = nil, limit: Int = 100
    ) async throws -> [ExecutionRecord] {
        try await store.read { try $0.newestEvents(workID: workID, before: before, limit: max(0, limit)) }
            .map(ExecutionRecord.init)
    }

    /// Why the item has not started: every reason there is at this moment, and the conditions that it needs and that
    /// cannot be read. `nil` if the item is not known.
    public func explain(id: String) async throws -> WorkExplanation? {
        let limits = configuration.limits
        let now = WallTime(configuration.clock.now)
        let device = await configuration.device.state()
        let load = runner.load
        let isRunning = lifecycle.isRunning
        let unchecked = transfers?.service.capabilities.unchecked
        let handsOffTransfers = handsOffTransfers
        return try await store.read { transaction in
            guard let record = try transaction.record(id: id) else { return nil }
            let limits = try transaction.limitsInForce(limits)
            let found = try WaitReasons(record, transaction, limits: limits, device: device, now: now)
            var reasons = found.found
            if record.status.state == .pending {
                if !isRunning { reasons.append(.schedulerNotRunning) }
                if reasons.isEmpty, load.running >= load.slots {
                    reasons.append(.slotsTaken(running: load.running, slots: load.slots))
                }
            }
            return WorkExplanation(
                id: id, state: record.status.state, reasons: reasons, unreadable: found.unreadable,
                uncheckedAddresses: record.status.state.isFinished || record.securityPolicy.allowsEveryDestination
                    || !handsOffTransfers(record.workerName) ? nil : unchecked,
                message: record.message)
        }
    }

    /// The state of the directory. Counts all unfinished items, on a connection that delays no other access.
    public func health() async throws -> SchedulerHealth {
        let now = WallTime(configuration.clock.now)
        let device = await configuration.device.state()
        let load = runner.load
        return try await store.read { transaction in
            let paused = try transaction.pausedQueues()
            var counts = Dictionary(uniqueKeysWithValues: paused.map { ($0, [WorkState: Int]()) })
            for (queue, state, count) in try transaction.counts() {
                counts[queue, default: [:]][state, default: 0] += count
            }
            let oldest = try transaction.oldestDue(now: now)
            return SchedulerHealth(
                queues: counts.sorted { $0.key < $1.key }.map {
                    SchedulerHealth.Queue(name: $0.key, counts: $0.value, isPaused: paused.contains($0.key))
                },
                oldestDueID: oldest?.id, oldestDueSince: oldest?.due.date, device: device, running: load.running,
                slots: load.slots, schedulers: try transaction.owners().count)
        }
    }
}

/// The state of a scheduler's directory at one moment.
public struct SchedulerHealth: Sendable, Hashable {
    /// One queue.
    public struct Queue: Sendable, Hashable {
        /// The queue's label.
        public let name: String
        /// How many unfinished items are in each state.
        public let counts: [WorkState: Int]
        /// Whether it is paused.
        public let isPaused: Bool
    }

    /// The queues with unfinished work, and those that are paused, by name.
    public let queues: [Queue]
    /// The item that has been due for longest and has not started.
    public let oldestDueID: String?
    /// Since when that item is due.
    public let oldestDueSince: Date?
    /// The device conditions that are met, and those that cannot be read or watched.
    public let device: DeviceState
    /// How many items this scheduler runs, or is about to run.
    public let running: Int
    /// How many items it may run at the same time.
    public let slots: Int
    /// Schedulers on the directory that have an owner row, this one included.
    public let schedulers: Int
}

/// One finished request, or one finished occurrence of it, as the history keeps it.
public struct ExecutionRecord: Sendable, Hashable {
    /// Its position in the history; grows with time.
    public let sequence: Int64
    /// The item's id.
    public let workID: String
    /// The worker's name as requested.
    public let taskName: String
    /// The chain it belonged to, if any.
    public let chainID: String?
    /// The step of the chain, counted from 0.
    public let stepIndex: Int
    /// Which occurrence of recurring work, counted from 0.
    public let occurrence: Int
    /// How many attempts were made; 0 if it was never started.
    public let attempt: Int
    /// How it ended.
    public let outcome: WorkOutcome
    /// The message about its end.
    public let message: String?
    /// The host's own data, stored with the item.
    public let metadata: [String: String]
    /// When the last attempt started; `nil` if there was none.
    public let startedAt: Date?
    /// When it finished.
    public let finishedAt: Date

    init(_ event: TaskCompletionEvent) {
        sequence = event.sequence
        workID = event.workID
        taskName = event.taskName
        chainID = event.chainID
        stepIndex = event.stepIndex
        occurrence = event.occurrence
        attempt = event.attempt
        outcome = event.outcome
        message = event.message
        metadata = event.metadata
        startedAt = event.startedAt
        finishedAt = event.finishedAt
    }
}
