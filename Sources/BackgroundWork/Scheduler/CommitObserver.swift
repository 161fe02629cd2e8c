import BackgroundWorkModel
import BackgroundWorkStorage
import Synchronization

/// Informs the other components of a commit. Runs on the writer's queue, so nothing here waits.
struct CommitObserver: Sendable {
    var bus: TaskEventBus
    var runner: Runner
    var transfers: TransferCoordinator?
    var partialFiles: PartialFileSweep
    var fileTriggers: FileTriggers
    var telemetry: TelemetryRelay?
    var wakes: WakeCoordinator?
    var changes: ChangeWatches
    var directory: String
    var lifecycle: Lifecycle

    @Sendable func committed(_ summary: CommitSummary) {
        // Subscribers first: they wait only for this.
        if !summary.eventsOfOthers.isEmpty { bus.publish(summary.eventsOfOthers) }
        bus.publish(summary.events)
        TaskEventBus.shared.publish(summary.events)
        // Before the items that this commit lets start, so that no item's start is reported before its enqueueing.
        telemetry?.committed(summary)
        runner.committed(summary)
        partialFiles.committed(summary)
        if summary.hasOutbox, let transfers { Task { await transfers.drainOutbox() } }
        if summary.watchedPathsChanged || summary.isNewsOfOthers, lifecycle.isRunning {
            Task { await fileTriggers.refresh() }
        }
        if summary.isNewsOfOthers { changes.anythingChanged() } else { changes.changed(summary.changed) }
        if summary.isNewsOfOthers {
            wakes?.workChangedByOthers()
        } else if summary.scheduleChanged || summary.watchedPathsChanged {
            wakes?.workChanged()
        }
        for other in summary.others {
            let path = "\(directory)/owners/\(other)"
            // The mark before the notification, and both before the caller of the cancellation gets its answer.
            if summary.hasStopsForOthers || !summary.pausedQueues.isEmpty { RunNotes.markStop(path: path) }
            PeerNotifier.ring(path)
        }
    }
}

/// Passes the changes of a commit on to the components that are created after the store.
final class CommitRelay: Sendable {
    /// A closure read out of generic storage is wrapped again each time, and the wrappers pile up when it is written
    /// back; inside a struct it is left as it is.
    private struct Receiver {
        var receive: @Sendable (CommitSummary) -> Void
    }

    private let receiver = Mutex<Receiver?>(nil)

    func connect(_ receive: @escaping @Sendable (CommitSummary) -> Void) {
        receiver.withLock { $0 = Receiver(receive: receive) }
    }

    /// Releases the receiver, and with it all that holds the store.
    func disconnect() { receiver.withLock { $0 = nil } }

    func pass(_ summary: CommitSummary) { receiver.withLock { $0 }?.receive(summary) }
}
