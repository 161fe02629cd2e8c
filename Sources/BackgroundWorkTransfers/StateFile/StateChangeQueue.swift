import Dispatch
import Synchronization

/// Lets changes that wait share one write: what comes while a write is under way goes into the next.
///
/// A change that finds no write under way is written at once, so a single one never waits for company.
final class StateChangeQueue: Sendable {
    private struct Group: Sendable {
        /// Of several changes to one entry only the last is written.
        var changes: [[UInt8]: StateChange] = [:]
        var waiting: [@Sendable (Result<Void, any Error>) -> Void] = []
    }

    private struct Pending: Sendable {
        var next = Group()
        var underWay: [[UInt8]: StateChange] = [:]
        var isDraining = false

        /// The group to be written now; `nil`, and the draining is over, if nothing waits.
        mutating func takeNext() -> Group? {
            guard !next.waiting.isEmpty else {
                isDraining = false
                return nil
            }
            defer { next = Group() }
            underWay = next.changes
            return next
        }
    }

    private let queue = DispatchQueue(label: "BackgroundWork.StateChangeQueue")
    private let pending = Mutex(Pending())
    private let write: @Sendable ([StateChange]) throws -> Void

    /// - Parameter write: called on a queue of its own with at most one change to a name; may block.
    init(write: @escaping @Sendable ([StateChange]) throws -> Void) { self.write = write }

    /// Returns when the write that the changes were in has returned, and throws what it has thrown.
    func submit(_ changes: [StateChange]) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let mustDrain = pending.withLock { pending in
                for change in changes { pending.next.changes[change.name] = change }
                pending.next.waiting.append { continuation.resume(with: $0) }
                defer { pending.isDraining = true }
                return !pending.isDraining
            }
            if mustDrain { queue.async { self.drain() } }
        }
    }

    /// Whether a change to that entry waits or is being written.
    func concerns(_ name: [UInt8]) -> Bool {
        pending.withLock { $0.next.changes[name] != nil || $0.underWay[name] != nil }
    }

    private func drain() {
        while let group = pending.withLock({ $0.takeNext() }) {
            let outcome = Result { try write(Array(group.changes.values)) }
            // Before anybody is told, so that who was told finds nothing under way.
            pending.withLock { $0.underWay = [:] }
            for settle in group.waiting { settle(outcome) }
        }
    }
}
