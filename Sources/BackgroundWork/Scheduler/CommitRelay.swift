import BackgroundWorkStorage
import Synchronization

/// Passes what a commit changed on to the parts that are built after the store.
final class CommitRelay: Sendable {
    /// A closure that is read out of generic storage is wrapped anew each time, and the wraps pile up when it is
    /// written back; inside a struct it is left as it is.
    private struct Receiver {
        var receive: @Sendable (CommitSummary) -> Void
    }

    private let receiver = Mutex<Receiver?>(nil)

    func connect(_ receive: @escaping @Sendable (CommitSummary) -> Void) {
        receiver.withLock { $0 = Receiver(receive: receive) }
    }

    /// Lets the receiver go, and with it all that holds the store.
    func disconnect() { receiver.withLock { $0 = nil } }

    func pass(_ summary: CommitSummary) { receiver.withLock { $0 }?.receive(summary) }
}
