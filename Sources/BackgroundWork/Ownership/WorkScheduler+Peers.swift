import BackgroundWorkModel
import BackgroundWorkStorage

extension WorkScheduler {
    /// Whether another live scheduler uses this directory. Also takes back the work of dead ones.
    package func hasLivePeers() async throws -> Bool {
        var isShared = false
        for owner in try await ownership.others() where try await ownership.isAlive(owner.id) { isShared = true }
        return isShared
    }

    /// The workers, by name as requested, that have unfinished work.
    package func unfinishedWorkers() async throws -> Set<String> {
        try await store.read { try $0.unfinishedWorkers() }
    }

    /// Sends the pending cancellations to the daemon; returns whether none is left.
    package func tellCancellations() async throws -> Bool {
        await transfers?.drainOutboxToEnd()
        return try await store.read { try $0.outbox() }.isEmpty
    }

    /// Whether this process has work to do: an item runs, a file is being moved, or an item is due and nothing
    /// prevents it from starting.
    package func isBusy(with workers: Set<String>) async throws -> Bool {
        let inHand = WorkQuery(states: [.running, .finishing], workerClassNames: workers, limit: 1)
        if try await !infos(matching: inHand).isEmpty { return true }
        let now = configuration.clock.now
        for waiting in try await infos(matching: WorkQuery(states: [.pending], workerClassNames: workers)) {
            guard let due = waiting.due, WallTime(due) <= WallTime(now) else { continue }
            if try await explain(id: waiting.id)?.reasons.isEmpty != false { return true }
        }
        return false
    }
}
