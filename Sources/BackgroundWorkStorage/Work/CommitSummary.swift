import BackgroundWorkModel

/// What one commit changed, for those who must be told.
package struct CommitSummary: Sendable {
    /// The events it wrote, in order.
    package var events: [TaskCompletionEvent] = []
    /// Events that other schedulers have written since the last commit here, and before its own.
    package var eventsOfOthers: [TaskCompletionEvent] = []
    /// Work that may have become due.
    package var mayHaveDueWork = false
    /// Work that was due, or ran, may not be any longer: it was claimed or handed off, or its queue was paused.
    package var mayHaveLessDueWork = false
    /// Items that were cancelled or replaced while a process ran them.
    package var stoppedRunning: [TransferKey] = []
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

    /// Whether the next work may be due at another time now, under other conditions, or never.
    package var mayMoveWakes: Bool { mayHaveDueWork || mayHaveLessDueWork || !events.isEmpty }

    /// Whether other schedulers have reason to look.
    var isNews: Bool {
        ownersChanged || mayHaveDueWork || watchedPathsChanged || !events.isEmpty || !stoppedRunning.isEmpty
    }
}
