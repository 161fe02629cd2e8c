import BackgroundWorkModel
import BackgroundWorkStorage

/// Reads the events of one durable subscription in pages. Its end lets the name go.
actor EventCursor {
    private static let pageSize = 256

    private let name: String
    private let store: WorkStore
    private let signal: WakeSignal
    private let isFinished: @Sendable () -> Bool
    private let onEnd: @Sendable () -> Void
    /// The newest event when this began. What came later cannot have been acknowledged before.
    private let newest: Int64
    private let recent: @Sendable (Int64) -> ArraySlice<TaskCompletionEvent>?
    private let acknowledge: @Sendable (Int64) async throws -> Void
    private var position: Int64
    private var page: ArraySlice<TaskCompletionEvent> = []

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
        position = start
    }

    deinit { onEnd() }

    /// The next event, as soon as there is one; `nil` when the task is cancelled or the scheduler has shut down.
    func next() async -> TaskCompletionEvent? {
        while !Task.isCancelled {
            if var event = page.popFirst() {
                event.acknowledgement = acknowledge
                return event
            }
            if isFinished() { return nil }
            if await !fetch() { await signal.wait() }
        }
        return nil
    }

    /// Whether there was anything new. An unreadable database is like one without news: the next event tries again.
    private func fetch() async -> Bool {
        if position >= newest, let events = recent(position) {
            position = events.last?.sequence ?? position
            page = events
            return true
        }
        let (name, after, limit) = (name, position, Self.pageSize)
        let found = try? await store.read { try $0.eventPage(after: after, for: name, limit: limit) }
        guard let found, !found.isEmpty else { return false }
        position = found.last?.sequence ?? position
        page = ArraySlice(found)
        return true
    }
}
