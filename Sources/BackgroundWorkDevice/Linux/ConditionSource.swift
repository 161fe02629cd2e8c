#if os(Linux)
import BackgroundWorkModel
import Dispatch

/// Reads some of the conditions, and watches for their changes while it is asked to.
///
/// A source belongs to one ``LinuxDeviceState``, and is only ever used on that one's queue.
protocol ConditionSource: AnyObject {
    /// What it can tell about.
    var conditions: Constraints { get }

    /// What it could not read or watch the last time it was asked to, in sentences.
    var notes: [String] { get }

    /// Those of its conditions that hold now. May block for a moment.
    func read() -> Constraints

    /// Calls `woken` on the queue for everything that may be a change from now on. What cannot be watched becomes a note.
    func beginWatching(on queue: DispatchQueue, woken: @escaping @Sendable (Wake) -> Void)

    /// Takes what it was woken for; false if none of it concerns its conditions.
    func takeEvents() -> Bool

    func endWatching()
}

extension ConditionSource {
    var notes: [String] { [] }

    func takeEvents() -> Bool { true }
}
#endif
