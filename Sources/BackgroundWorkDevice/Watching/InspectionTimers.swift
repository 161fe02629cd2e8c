import Dispatch

/// Starts the timers for conditions without an event. Tests supply timers that they fire themselves.
protocol InspectionTimers: Sendable {
    /// Wakes every `seconds`, with a tolerance of a tenth, until the returned object is deinitialized.
    func begin(every seconds: Int, on queue: DispatchQueue, woken: @escaping @Sendable (Wake) -> Void) -> AnyObject
}

/// The timers of the system.
struct DispatchInspectionTimers: InspectionTimers {
    func begin(every seconds: Int, on queue: DispatchQueue, woken: @escaping @Sendable (Wake) -> Void) -> AnyObject {
        DispatchInspectionTimer(every: seconds, on: queue, woken: woken)
    }
}

/// Wakes periodically until it is deinitialized.
final class DispatchInspectionTimer {
    private let source: any DispatchSourceTimer

    init(every seconds: Int, on queue: DispatchQueue, woken: @escaping @Sendable (Wake) -> Void) {
        source = DispatchSource.makeTimerSource(queue: queue)
        // The leeway lets the system combine several wake-ups.
        source.schedule(
            deadline: .now() + .seconds(seconds), repeating: .seconds(seconds), leeway: .milliseconds(seconds * 100))
        source.setEventHandler { woken(.time) }
        source.activate()
    }

    deinit { source.cancel() }
}
