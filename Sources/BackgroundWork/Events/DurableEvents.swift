import BackgroundWorkModel
import BackgroundWorkStorage
import Synchronization

/// Opens the durable subscriptions of one scheduler.
final class DurableEvents: Sendable {
    private let store: WorkStore
    private let ownership: Ownership
    private let held = Mutex<Set<String>>([])
    private let isFinished = Atomic(false)

    init(store: WorkStore, ownership: Ownership) {
        self.store = store
        self.ownership = ownership
    }

    func open(
        _ name: String, signal: WakeSignal,
        recent: @escaping @Sendable (Int64) -> ArraySlice<TaskCompletionEvent>?, onEnd: @escaping @Sendable () -> Void
    ) async throws -> EventCursor {
        guard held.withLock({ $0.insert(name).inserted }) else { throw SubscriptionError.held(name: name) }
        do {
            let owner = try await ownership.identifier()
            if let holder = try await store.read({ try $0.subscriberHolder(name) }), holder != owner,
                try await ownership.isAlive(holder)
            {
                throw SubscriptionError.held(name: name)
            }
            let store = store
            let (hold, start, newest) = try await store.write { transaction in
                // Checked again inside the transaction: another process may have taken the name meanwhile.
                if let holder = try transaction.subscriberHolder(name), holder != owner {
                    throw SubscriptionError.held(name: name)
                }
                return (
                    try transaction.holdSubscriber(name, owner: owner), try transaction.cursor(of: name) ?? 0,
                    try transaction.newestEvent() ?? 0
                )
            }
            return EventCursor(
                name: name, store: store, start: start, newest: newest, signal: signal, recent: recent,
                isFinished: { [weak self] in self?.isFinished.load(ordering: .acquiring) ?? true },
                onEnd: { [weak self] in
                    onEnd()
                    _ = self?.held.withLock { $0.remove(name) }
                    Task { try await store.write { try $0.releaseSubscriber(name, owner: owner, hold: hold) } }
                })
        } catch {
            _ = held.withLock { $0.remove(name) }
            throw error
        }
    }

    func remove(_ name: String) async throws { try await store.write { try $0.removeSubscriber(name) } }

    func finish() { isFinished.store(true, ordering: .releasing) }
}

/// The events of the newest commits, for durable subscriptions that keep up, so that they need not read from the
/// database what was just in memory. Without gaps; a subscription that is further behind reads pages.
struct RecentEvents: Sendable {
    /// The maximum number of kept events; those of the last commit are all kept.
    private static let limit = 4096

    private var commits: [[TaskCompletionEvent]] = []
    private var count = 0

    mutating func append(_ events: [TaskCompletionEvent]) {
        guard let first = events.first else { return }
        if let last = commits.last?.last, last.sequence + 1 != first.sequence { removeAll() }
        commits.append(events)
        count += events.count
        while count > Self.limit, commits.count > 1 { count -= commits.removeFirst().count }
    }

    mutating func removeAll() {
        commits = []
        count = 0
    }

    /// The events that follow a sequence number, up to the end of a commit; empty if it is the newest one, and `nil`
    /// if the events after it are not in memory.
    func events(after sequence: Int64) -> ArraySlice<TaskCompletionEvent>? {
        if commits.last?.last?.sequence == sequence { return [] }
        for commit in commits.reversed() where commit[0].sequence <= sequence + 1 {
            let index = Int(sequence + 1 - commit[0].sequence)
            return index < commit.count ? commit[index...] : nil
        }
        return nil
    }
}
