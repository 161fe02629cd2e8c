#if os(Linux)
import Dispatch

/// The timers of the system.
struct DispatchLookTimers: LookTimers {
    func begin(every seconds: Int, on queue: DispatchQueue, woken: @escaping @Sendable (Wake) -> Void) -> AnyObject {
        DispatchLookTimer(every: seconds, on: queue, woken: woken)
    }
}
#endif
