#if os(Linux)
import BackgroundWorkModel
import Dispatch
import BackgroundWorkSystem

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

/// Why a source of conditions is asked to look.
enum Wake: Sendable {
    /// Its descriptor has something to read; what it is may not concern it.
    case events
    /// The time for a look has come.
    case time
}

/// Wakes when a descriptor has something to read, until it is let go.
final class EventSource {
    private let source: any DispatchSourceRead

    /// Watches a duplicate, so that the owner may close its own at any time: a source must not outlive its descriptor,
    /// and ends a little after it was told to. `nil` when the process has no descriptor left for that (errno says so).
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
#endif
