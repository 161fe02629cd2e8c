#if os(Linux)
import Dispatch

/// Wakes now and then until it is let go.
final class DispatchLookTimer {
    private let source: any DispatchSourceTimer

    init(every seconds: Int, on queue: DispatchQueue, woken: @escaping @Sendable (Wake) -> Void) {
        source = DispatchSource.makeTimerSource(queue: queue)
        // Leeway lets the system wake for several things at once.
        source.schedule(
            deadline: .now() + .seconds(seconds), repeating: .seconds(seconds), leeway: .milliseconds(seconds * 100))
        source.setEventHandler { woken(.time) }
        source.activate()
    }

    deinit { source.cancel() }
}
#endif
