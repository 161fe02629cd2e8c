import BackgroundWorkModel
import BackgroundWorkSystem
import Dispatch

/// Reads some of the conditions, and watches for their changes on request.
///
/// A source belongs to one ``LinuxDeviceState``, and is only used on its queue.
protocol ConditionSource: AnyObject {
    /// The conditions that it reads.
    var conditions: Constraints { get }

    /// What it could not read or watch at the last attempt, in sentences.
    var notes: [String] { get }

    /// Those of its conditions that hold now. May block for a moment.
    func read() -> Constraints

    /// Calls `woken` on the queue for everything that may be a change from now on. What cannot be watched becomes a note.
    func beginWatching(on queue: DispatchQueue, woken: @escaping @Sendable (Wake) -> Void)

    /// Reads the events for which it was woken; false if none concerns its conditions.
    func takeEvents() -> Bool

    func endWatching()
}

extension ConditionSource {
    var notes: [String] { [] }

    func takeEvents() -> Bool { true }
}

/// Why a source of conditions is asked to check.
enum Wake: Sendable {
    /// Its descriptor is readable; the event may not concern it.
    case events
    /// A periodic check is due.
    case time
}

/// Wakes when a descriptor is readable, until it is deinitialized.
final class EventSource {
    private let source: any DispatchSourceRead

    /// Watches a duplicate, so that the owner may close its own at any time: a source must not outlive its descriptor,
    /// and ends a little after it was canceled. `nil` when the process has no descriptor left for that (errno says so).
    init?(of descriptor: Int32, on queue: DispatchQueue, woken: @escaping @Sendable (Wake) -> Void) {
        let duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard duplicate >= 0 else { return nil }
        source = DispatchSource.makeReadSource(fileDescriptor: duplicate, queue: queue)
        source.setEventHandler { woken(.events) }
        source.setCancelHandler { close(duplicate) }
        source.activate()
    }

    deinit { source.cancel() }
}
