import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkStorage
import Synchronization

/// Publishes one ``TaskCompletionEvent`` for each finished request.
///
/// - ``events`` is live: it starts at the access, and is for observing while the process runs.
/// - ``events(for:)`` is durable: it continues after the last event that the named subscriber has acknowledged, in
///   whatever process that was.
///
/// Publishing never waits for a subscriber, so a slow one does not delay a worker.
public final class TaskEventBus: Sendable {
    /// The live events of all schedulers in this process. It has no durable subscriptions.
    public static let shared = TaskEventBus()

    /// How many events a live subscription buffers for a slow reader.
    public static let liveBufferSize = 1024

    private struct Live: Sendable {
        var continuation: AsyncStream<TaskCompletionEvent>.Continuation
        var missed: Int64 = 0
    }

    private struct State: ~Copyable {
        var nextID = 0
        var live: [Int: Live] = [:]
        var progress: [Int: AsyncStream<TaskProgressEvent>.Continuation] = [:]
        var signals: [Int: WakeSignal] = [:]
        /// Kept while there are durable subscriptions.
        var recent = RecentEvents()
        /// The newest progress of what runs at present; for subscribers that join while it runs.
        var newestProgress: @Sendable () -> [TaskProgressEvent] = { [] }
        var isFinished = false
    }

    private let state = Mutex(State())
    private let durable: DurableEvents?

    private init() { durable = nil }

    init(store: WorkStore, ownership: Ownership) { durable = DurableEvents(store: store, ownership: ownership) }

    /// The events from this access on. Each access is a separate subscription; it ends with the stream, or with the
    /// scheduler's shutdown.
    ///
    /// A reader that falls more than ``liveBufferSize`` events behind misses the following ones; their number is in
    /// ``TaskCompletionEvent/missedBefore`` of the next event that it gets.
    public var events: AsyncStream<TaskCompletionEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: TaskCompletionEvent.self, bufferingPolicy: .bufferingOldest(Self.liveBufferSize))
        let id = state.withLock { state -> Int? in
            if state.isFinished { return nil }
            state.nextID += 1
            state.live[state.nextID] = Live(continuation: continuation)
            return state.nextID
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.endLive(id) }
        return stream
    }

    /// The progress of the running work and the transfers: first the newest report of each run of this process and of
    /// each transfer, then the later ones, at most four a second of each. A reader that falls behind gets the newest
    /// ones. Ends as ``events`` does.
    public var progress: AsyncStream<TaskProgressEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: TaskProgressEvent.self, bufferingPolicy: .bufferingNewest(Self.liveBufferSize))
        let subscription = state.withLock { state -> (id: Int, newest: @Sendable () -> [TaskProgressEvent])? in
            if state.isFinished { return nil }
            state.nextID += 1
            state.progress[state.nextID] = continuation
            return (state.nextID, state.newestProgress)
        }
        guard let subscription else {
            continuation.finish()
            return stream
        }
        for event in subscription.newest() { continuation.yield(event) }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.progress.removeValue(forKey: subscription.id) }
        }
        return stream
    }

    /// The events that the named subscriber has not acknowledged, from the oldest retained one on, and then later
    /// ones.
    ///
    /// Every event is delivered to the name at least once until it is acknowledged, also after a crash. A name that
    /// is used for the first time starts with the oldest retained event. Events of other processes on the same folder
    /// arrive as they are written.
    ///
    /// Throws ``SubscriptionError`` when another stream holds the name, and the database's errors.
    public func events(for name: String) async throws -> AsyncStream<TaskCompletionEvent> {
        guard let durable else { throw SubscriptionError.notOfOneScheduler }
        let signal = WakeSignal()
        let id = state.withLock { state -> Int in
            state.nextID += 1
            state.signals[state.nextID] = signal
            return state.nextID
        }
        do {
            let cursor = try await durable.open(
                name, signal: signal, recent: { [weak self] in self?.recentEvents(after: $0) },
                onEnd: { [weak self] in self?.endDurable(id) })
            return AsyncStream(unfolding: { await cursor.next() })
        } catch {
            endDurable(id)
            throw error
        }
    }

    /// Removes a durable subscriber and what it has acknowledged. An unknown name is not an error.
    public func removeSubscriber(_ name: String) async throws {
        guard let durable else { throw SubscriptionError.notOfOneScheduler }
        try await durable.remove(name)
    }

    /// Publishes committed events; called in the order of their sequence.
    func publish(_ events: [TaskCompletionEvent]) {
        if events.isEmpty { return }
        let signals = state.withLock { state -> [WakeSignal] in
            for id in state.live.keys {
                for event in events { Self.offer(event, to: &state.live[id]) }
            }
            if !state.signals.isEmpty { state.recent.append(events) }
            return Array(state.signals.values)
        }
        for signal in signals { signal.raise() }
    }

    private func recentEvents(after sequence: Int64) -> ArraySlice<TaskCompletionEvent>? {
        state.withLock { $0.recent.events(after: sequence) }
    }

    func publish(_ events: [TaskProgressEvent]) {
        let continuations = state.withLock { Array($0.progress.values) }
        for continuation in continuations {
            for event in events { continuation.yield(event) }
        }
    }

    /// Sets where new subscriptions of ``progress`` start.
    func connect(newestProgress: @escaping @Sendable () -> [TaskProgressEvent]) {
        state.withLock { $0.newestProgress = newestProgress }
    }

    /// Ends all streams.
    func finish() {
        let (live, progress, signals) = state.withLock { state in
            state.isFinished = true
            return (
                state.live.values.map(\.continuation), Array(state.progress.values), Array(state.signals.values)
            )
        }
        for continuation in live { continuation.finish() }
        for continuation in progress { continuation.finish() }
        durable?.finish()
        for signal in signals { signal.raise() }
    }

    private static func offer(_ event: TaskCompletionEvent, to live: inout Live?) {
        guard let missed = live?.missed else { return }
        var event = event
        event.missedBefore = missed
        if case .dropped = live?.continuation.yield(event) { live?.missed += 1 } else { live?.missed = 0 }
    }

    private func endLive(_ id: Int) { state.withLock { _ = $0.live.removeValue(forKey: id) } }

    private func endDurable(_ id: Int) {
        state.withLock { state in
            state.signals[id] = nil
            if state.signals.isEmpty { state.recent.removeAll() }
        }
    }
}

/// A durable subscription could not be opened.
public enum SubscriptionError: Error, Hashable, CustomStringConvertible {
    /// The name is in use by another stream, in this process or another.
    case held(name: String)
    /// The shared bus has only live events.
    case notOfOneScheduler

    /// What prevents the subscription, and what to do.
    public var description: String {
        switch self {
        case .held(let name):
            "The subscriber \"\(name)\" is held by another stream, of this process or another. End that one, or use a name of your own."
        case .notOfOneScheduler:
            "TaskEventBus.shared has no durable subscriptions. Use the bus of a scheduler: scheduler.eventBus."
        }
    }
}

extension SubscriptionError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
