#if os(Linux)
import Synchronization

/// Jobs that the storage queue has ended and the network loop has not looked at yet, oldest first.
final class EndedJobs: Sendable {
    typealias Entry = (ticket: UInt64, error: (any Error)?)

    private let entries = Mutex<[Entry]>([])

    func add(ticket: UInt64, error: (any Error)?) { entries.withLock { $0.append((ticket, error)) } }

    func take() -> [Entry] {
        entries.withLock { entries in
            defer { entries = [] }
            return entries
        }
    }
}
#endif
