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
                // Looked at again under the lock: another process may have taken it meanwhile.
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
