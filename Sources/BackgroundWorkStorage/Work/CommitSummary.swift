import BackgroundWorkModel

/// What one commit changed. Reported in the order of the commits.
package struct CommitSummary: Sendable {
    /// The events it wrote, in order.
    package var events: [TaskCompletionEvent] = []
    /// Events that other schedulers have written since the last commit here, and before its own.
    package var eventsOfOthers: [TaskCompletionEvent] = []
    /// What it claimed for this scheduler, without what it also cancelled.
    package var claimed: [ClaimedWork] = []
    /// How many items of this scheduler may run at the same time, under each concurrency limit; `nil` if they were
    /// not counted.
    package var permits: [LimitKey: Int]?
    /// The result of its claim pass, if there was one.
    package var claim: Claim?
    /// The earliest time at which something that it stored is due or expires.
    package var dueAt: WallTime?
    /// Runs of this scheduler that it ended: they are to stop.
    package var stoppedRuns: [RunKey] = []
    /// Queues that it paused.
    package var pausedQueues: Set<String> = []
    /// Queues that are paused now, by it or by others: their claimed items that have not started are to be given
    /// back.
    package var heldQueues: Set<String> = []
    /// There is work, due now or later, that other schedulers may want to claim.
    package var hasDueWork = false
    /// The next due time, or the set of running items, has changed.
    package var scheduleChanged = false
    /// It ended runs of other schedulers.
    package var hasStopsForOthers = false
    /// There are transfers to cancel.
    package var hasOutbox = false
    /// It removed secrets, which the write-ahead log still has.
    package var hasRemovedSecrets = false
    /// The set of watched files has changed.
    package var watchedPathsChanged = false
    /// The items whose state has changed.
    package var changed: [String] = []
    /// A scheduler was registered.
    package var ownersChanged = false
    /// Others have committed, so the state of any item may have changed.
    package var isNewsOfOthers = false
    /// For telemetry, if enabled: what was enqueued, and which chains ended.
    package var scheduled: [ScheduledWork] = []
    package var endedChains: [EndedChain] = []
    /// Other schedulers on the directory that have to be notified: their lock files' names.
    package var others: [String] = []

    /// Whether other schedulers have reason to check for changes.
    var isNews: Bool {
        ownersChanged || hasDueWork || watchedPathsChanged || !events.isEmpty || hasStopsForOthers
            || !pausedQueues.isEmpty
    }

    mutating func look(at instant: WallTime) {
        guard instant != .distantFuture else { return }
        dueAt = min(dueAt ?? instant, instant)
    }
}

/// An item that a commit has enqueued.
package struct ScheduledWork: Sendable, Hashable {
    package var id: String
    package var workerName: String
    package var chainID: String?
    package var queue: String
}

/// A chain that a commit has ended.
package struct EndedChain: Sendable, Hashable {
    package var id: String
    package var outcome: WorkOutcome
}
