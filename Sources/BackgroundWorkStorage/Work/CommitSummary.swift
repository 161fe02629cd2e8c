import BackgroundWorkModel

/// What one commit changed, for those who must be told. Told in the order of the commits.
package struct CommitSummary: Sendable {
    /// The events it wrote, in order.
    package var events: [TaskCompletionEvent] = []
    /// Events that other schedulers have written since the last commit here, and before its own.
    package var eventsOfOthers: [TaskCompletionEvent] = []
    /// What it claimed for this scheduler. What it also cancelled is not among it.
    package var claimed: [ClaimedWork] = []
    /// How many items of this scheduler may run at the same time, under each limit on that; `nil` if nothing was counted.
    package var permits: [LimitKey: Int]?
    /// What it saw of the waiting work, if it looked.
    package var claim: Claim?
    /// The earliest time at which something that it stored falls due or expires.
    package var dueAt: WallTime?
    /// Runs of this scheduler that it ended: they are to stop.
    package var stoppedRuns: [RunKey] = []
    /// Queues that it paused.
    package var pausedQueues: Set<String> = []
    /// Queues that are paused now, by it or by others: what was claimed of them and has not begun is to be given back.
    package var heldQueues: Set<String> = []
    /// There is work, due now or later, that other schedulers may want to claim.
    package var hasDueWork = false
    /// What is due next, or what runs, is not what it was.
    package var scheduleChanged = false
    /// It ended runs of other schedulers.
    package var hasStopsForOthers = false
    /// There are transfers to cancel.
    package var hasOutbox = false
    /// Which files are waited for has changed.
    package var watchedPathsChanged = false
    /// The items that stand elsewhere now.
    package var changed: [String] = []
    /// A scheduler has come.
    package var ownersChanged = false
    /// Others have committed, so anything may stand elsewhere.
    package var isNewsOfOthers = false
    /// For telemetry, if that is wanted: what was enqueued, and which chains came to their end.
    package var scheduled: [ScheduledWork] = []
    package var endedChains: [EndedChain] = []
    /// Other schedulers on the directory that have to hear of it: their lock files' names.
    package var others: [String] = []

    /// Whether other schedulers have reason to look.
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

/// A chain that a commit has brought to its end.
package struct EndedChain: Sendable, Hashable {
    package var id: String
    package var outcome: WorkOutcome
}
