import BackgroundWorkModel
import Dispatch

/// Reads some of the conditions, and watches for their changes on request.
///
/// A source belongs to one ``PlatformDeviceState``, and is only used on its queue.
protocol ConditionSource: AnyObject {
    /// The conditions that it reads.
    var conditions: Constraints { get }

    /// What it says of its conditions now: which are met, which cannot be read, and whose changes are detected late or
    /// not at all. May block for a moment.
    func read() -> DeviceState

    /// Calls `woken` on the queue for everything that may be a change from now on. What cannot be watched is in the
    /// states that it reads from then on.
    func beginWatching(on queue: DispatchQueue, woken: @escaping @Sendable (Wake) -> Void)

    /// Reads the events for which it was woken; false if none concerns its conditions.
    func takeEvents() -> Bool

    func endWatching()
}

extension ConditionSource {
    func takeEvents() -> Bool { true }
}

/// Why a source of conditions is asked to check.
enum Wake: Sendable {
    /// The system has reported something; it may not concern the conditions.
    case events
    /// A periodic check is due.
    case time
}
