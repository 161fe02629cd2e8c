#if os(Linux)
import CBackgroundWorkLinux

/// Gives memory back once after each stretch of activity, so that an agent that waits for days holds little.
///
/// It waits a moment before, because one transfer is often followed by the next; after that it sets no timer any more.
final class IdleMemory {
    private static let patience = Duration.milliseconds(500)

    private let timers: LoopTimers
    private var isGivenBack = false

    init(timers: LoopTimers) { self.timers = timers }

    /// Told at every turn of the loop whether nothing is under way.
    func watch(isIdle: Bool, now: LoopTimers.Instant) {
        guard isIdle else {
            isGivenBack = false
            return timers.cancel(.memoryReturn)
        }
        guard !isGivenBack, !timers.isSet(.memoryReturn) else { return }
        timers.set(.memoryReturn, at: now + Self.patience) { [weak self] in
            self?.isGivenBack = true
            bgw_give_back_memory()
        }
    }
}
#endif
