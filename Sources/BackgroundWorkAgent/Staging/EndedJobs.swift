#if os(Linux)
import Synchronization

/// Jobs that the storage queue has ended and the network loop has not looked at yet, oldest first.
final class EndedJobs: Sendable {
    typealias Entry = (ticket: UInt64, error: (any Error)?)

    private let entries = Mutex<[Entry]>([])

    /// Whether it is the first one that waits, so that the loop has to be woken.
    func add(ticket: UInt64, error: (any Error)?) -> Bool {
        entries.withLock {
            $0.append((ticket, error))
            return $0.count == 1
        }
    }

    func take() -> [Entry] {
        entries.withLock { entries in
            defer { entries = [] }
            return entries
        }
    }
}
#endif
