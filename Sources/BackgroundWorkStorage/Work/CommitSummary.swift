import BackgroundWorkModel

/// What one commit changed, for those who must be told.
package struct CommitSummary: Sendable {
    /// The events it wrote, in order.
    package var events: [TaskCompletionEvent] = []
    /// Work that may have become due.
    package var mayHaveDueWork = false
    /// Items that were cancelled or replaced while a process ran them.
    package var stoppedRunning: [TransferKey] = []
    /// There are transfers to cancel.
    package var hasOutbox = false
}
