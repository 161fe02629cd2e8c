#if os(Linux)
import Dispatch

/// Begins the timers for what has no event of its own. A test brings timers that it fires itself.
protocol LookTimers: Sendable {
    /// Wakes every so many seconds, give or take a tenth, until the object is let go.
    func begin(every seconds: Int, on queue: DispatchQueue, woken: @escaping @Sendable (Wake) -> Void) -> AnyObject
}

/// The timers of the system.
struct DispatchLookTimers: LookTimers {
    func begin(every seconds: Int, on queue: DispatchQueue, woken: @escaping @Sendable (Wake) -> Void) -> AnyObject {
        DispatchLookTimer(every: seconds, on: queue, woken: woken)
    }
}

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
