import Synchronization

/// One outcome on its way to being placed; ends once, however often it is told so.
final class Arrival: Sendable {
    private let tracker: DeliveryTracker
    private let hasEnded = Atomic(false)

    init(tracker: DeliveryTracker) {
        self.tracker = tracker
        tracker.begin()
    }

    @Sendable func end() {
        if !hasEnded.exchange(true, ordering: .acquiringAndReleasing) { tracker.end() }
    }
}
