#if os(Linux)
import Synchronization

/// Keeps a watch on the device's conditions going, until it is cancelled or let go.
package final class DeviceWatch: Sendable {
    private let isOver = Atomic(false)
    private let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { cancel() }

    /// Ends the watch. A change that is being told at this moment may still arrive.
    package func cancel() {
        if !isOver.exchange(true, ordering: .acquiringAndReleasing) { end() }
    }
}
#endif
