#if os(Linux)
import Dispatch

/// Begins the timers for what has no event of its own. A test brings timers that it fires itself.
protocol LookTimers: Sendable {
    /// Wakes every so many seconds, give or take a tenth, until the object is let go.
    func begin(every seconds: Int, on queue: DispatchQueue, woken: @escaping @Sendable (Wake) -> Void) -> AnyObject
}
#endif
