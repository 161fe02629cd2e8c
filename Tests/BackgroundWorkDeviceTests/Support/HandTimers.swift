import Dispatch
import Synchronization

@testable import BackgroundWorkDevice

/// Timers that fire when a test says so.
final class HandTimers: InspectionTimers {
    private let active = Mutex<[ObjectIdentifier: (seconds: Int, fire: @Sendable () -> Void)]>([:])

    /// The periods of those that run.
    var periods: [Int] { active.withLock { $0.values.map(\.seconds).sorted() } }

    func fireAll() {
        for timer in active.withLock({ Array($0.values) }) { timer.fire() }
    }

    func begin(every seconds: Int, on queue: DispatchQueue, woken: @escaping @Sendable (Wake) -> Void) -> AnyObject {
        let handle = Handle(timers: self)
        active.withLock { $0[ObjectIdentifier(handle)] = (seconds, { queue.async { woken(.time) } }) }
        return handle
    }

    private final class Handle {
        private let timers: HandTimers

        init(timers: HandTimers) { self.timers = timers }

        deinit {
            let key = ObjectIdentifier(self)
            _ = timers.active.withLock { $0.removeValue(forKey: key) }
        }
    }
}
