import BackgroundWorkModel
import BackgroundWorkStorage
import Synchronization

/// Reads the events of one durable subscription: from memory while it keeps up, and in pages of the database
/// otherwise. Its end releases the subscriber's name.
///
/// Not an actor: the next event is usually available, and taking it must not cost a change of executors.
final class EventCursor: Sendable {
    private static let pageSize = 256
    /// The delay before a failed read of the database is retried.
    private static let pauseAfterFailure = Duration.seconds(1)

    private struct State {
        var position: Int64
        var page: ArraySlice<TaskCompletionEvent> = []
    }

    private let name: String
    private let store: WorkStore
    private let signal: WakeSignal
    private let isFinished: @Sendable () -> Bool
    private let onEnd: @Sendable () -> Void
    /// The newest event when this subscription started. Later events cannot have been acknowledged before.
    private let newest: Int64
    private let recent: @Sendable (Int64) -> ArraySlice<TaskCompletionEvent>?
    private let acknowledge: @Sendable (Int64) async throws -> Void
    private let state: Mutex<State>

    init(
        name: String, store: WorkStore, start: Int64, newest: Int64, signal: WakeSignal,
        recent: @escaping @Sendable (Int64) -> ArraySlice<TaskCompletionEvent>?,
        isFinished: @escaping @Sendable () -> Bool, onEnd: @escaping @Sendable () -> Void
    ) {
        self.name = name
        self.store = store
        self.signal = signal
        self.isFinished = isFinished
        self.onEnd = onEnd
        self.newest = newest
        self.recent = recent
        acknowledge = { sequence in try await store.write { try $0.acknowledge(sequence, by: name) } }
        state = Mutex(State(position: start))
    }

    deinit { onEnd() }

    /// The next event, as soon as there is one; `nil` when the task is cancelled or the scheduler has shut down.
    nonisolated(nonsending) func next() async -> TaskCompletionEvent? {
        while !Task.isCancelled {
            if var event = state.withLock({ $0.page.popFirst() }) {
                event.acknowledgement = acknowledge
                return event
            }
            if isFinished() { return nil }
            if await !fetch() { await signal.wait() }
        }
        return nil
    }

    /// Whether there were new events.
    private nonisolated(nonsending) func fetch() async -> Bool {
        let position = state.withLock { $0.position }
        if position >= newest, let events = recent(position) {
            take(events)
            return !events.isEmpty
        }
        do {
            let found = try await store.read { [name] in
                try $0.eventPage(after: position, for: name, limit: Self.pageSize)
            }
            take(found[...])
            return !found.isEmpty
        } catch {
            // The caller may not call again for long, so the retry must not wait for the next event.
            try? await Task.sleep(for: Self.pauseAfterFailure)
            return true
        }
    }

    private func take(_ events: ArraySlice<TaskCompletionEvent>) {
        guard let last = events.last else { return }
        state.withLock { state in
            state.position = last.sequence
            state.page = events
        }
    }
}
