import BackgroundWorkStorage
import Synchronization

/// Passes what a commit changed on to the parts that are built after the store.
final class CommitRelay: Sendable {
    private let receiver = Mutex<(@Sendable (CommitSummary) -> Void)?>(nil)

    func connect(_ receiver: @escaping @Sendable (CommitSummary) -> Void) {
        self.receiver.withLock { $0 = receiver }
    }

    func pass(_ summary: CommitSummary) { receiver.withLock { $0 }?(summary) }
}
