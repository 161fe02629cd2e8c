import BackgroundWorkFiles
import Dispatch
import Synchronization

/// Writes all queued changes together: changes that arrive during a write go into the next one.
///
/// A change that is waited for and finds no write in progress is written at once, so a single change is never delayed.
/// A change without a waiting caller is written with the next of those, or alone after a moment.
final class StateChangeQueue: Sendable {
    private struct Group: Sendable {
        /// Of several changes to one entry only the last is written.
        var changes: [[UInt8]: StateChange] = [:]
        var waiting: [@Sendable (Result<Void, any Error>) -> Void] = []
        /// Whether some of the changes have no waiting caller.
        var hasUnattended = false
    }

    private struct Pending: Sendable {
        var next = Group()
        var writing: [[UInt8]: StateChange] = [:]
        var isDraining = false
        /// Whether a later write is scheduled for changes without a waiting caller.
        var isArranged = false

        /// The group to be written now; `nil`, and the draining ends, if no caller waits.
        mutating func takeNext(evenWithoutWaiters isDue: Bool) -> Group? {
            guard !next.waiting.isEmpty || isDue && !next.changes.isEmpty else {
                isDraining = false
                return nil
            }
            defer { next = Group() }
            writing = next.changes
            return next
        }

        /// Whether a later write must be scheduled for the remaining changes.
        mutating func mustArrange() -> Bool {
            guard !next.changes.isEmpty, !isDraining, !isArranged else { return false }
            isArranged = true
            return true
        }
    }

    let queue = HoldableQueue(label: "BackgroundWork.StateChangeQueue")
    private let pending = Mutex(Pending())
    private let patience: DispatchTimeInterval
    private let report: @Sendable (any Error) -> Void
    private let write: @Sendable ([StateChange]) throws -> Void

    /// - Parameters:
    ///   - patience: how long a change without a waiting caller may wait for another one.
    ///   - report: called when changes without a waiting caller could not be written.
    ///   - write: called on a queue of its own with at most one change to a name; may block.
    init(
        patience: DispatchTimeInterval = .milliseconds(25), report: @escaping @Sendable (any Error) -> Void = { _ in },
        write: @escaping @Sendable ([StateChange]) throws -> Void
    ) {
        self.patience = patience
        self.report = report
        self.write = write
    }

    /// Returns when the write that the changes were in has returned, and throws what it has thrown. All that was left to
    /// ``submitLater(_:)`` before is in it as well.
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

    /// Returns at once. The changes are written with the next change that has a waiting caller, or soon.
    func submitLater(_ changes: [StateChange]) {
        let mustArrange = pending.withLock { pending in
            for change in changes { pending.next.changes[change.name] = change }
            pending.next.hasUnattended = true
            return pending.mustArrange()
        }
        if mustArrange { arrange() }
    }

    /// Whether a change to that entry waits or is being written.
    func concerns(_ name: [UInt8]) -> Bool {
        pending.withLock { $0.next.changes[name] != nil || $0.writing[name] != nil }
    }

    /// Whether something waits or is being written.
    var isBusy: Bool { pending.withLock { !$0.next.changes.isEmpty || !$0.writing.isEmpty } }

    /// The entries whose removal waits or is being written.
    var removals: Set<[UInt8]> {
        pending.withLock { pending in
            var names = Set(pending.writing.values.lazy.filter { $0.value == nil }.map(\.name))
            for change in pending.next.changes.values {
                if change.value == nil { names.insert(change.name) } else { names.remove(change.name) }
            }
            return names
        }
    }

    private func arrange() {
        queue.queue.asyncAfter(deadline: .now() + patience) {
            let mustDrain = self.pending.withLock { pending in
                pending.isArranged = false
                guard !pending.isDraining, !pending.next.changes.isEmpty else { return false }
                pending.isDraining = true
                return true
            }
            if mustDrain { self.drain(evenWithoutWaiters: true) }
        }
    }

    private func drain(evenWithoutWaiters isDue: Bool = false) {
        var isDue = isDue
        while let group = pending.withLock({ $0.takeNext(evenWithoutWaiters: isDue) }) {
            isDue = false
            let outcome = Result { try write(Array(group.changes.values)) }
            // Before the callers are resumed, so that they find no running write.
            pending.withLock { $0.writing = [:] }
            if group.hasUnattended, case .failure(let error) = outcome { report(error) }
            for settle in group.waiting { settle(outcome) }
        }
        if pending.withLock({ $0.mustArrange() }) { arrange() }
    }
}

/// What is to be done to one entry of the state file.
struct StateChange: Sendable {
    /// The entry's name, as it is spelled between the quotes of a JSON string.
    let name: [UInt8]
    /// The entry's JSON; `nil` to remove it.
    let value: [UInt8]?

    static func put(_ entry: TransferEntry) -> StateChange {
        StateChange(name: StateDocument.spelling(of: entry.name), value: entry.json)
    }

    static func remove(session: String, task: Int64) -> StateChange {
        StateChange(name: StateDocument.spelling(of: TransferEntry.name(session: session, task: task)), value: nil)
    }
}
