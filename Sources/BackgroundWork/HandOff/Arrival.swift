import Synchronization

/// One outcome whose item may still be in the queue; ends once, however often ``end()`` is called.
final class Arrival: Sendable {
    private let tracker: WorkInProgress
    private let hasEnded = Atomic(false)

    init(tracker: WorkInProgress) {
        self.tracker = tracker
        tracker.begin()
    }

    @Sendable func end() {
        if !hasEnded.exchange(true, ordering: .acquiringAndReleasing) { tracker.end() }
    }
}
