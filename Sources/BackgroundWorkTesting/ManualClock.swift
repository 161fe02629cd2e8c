import BackgroundWork
import Foundation
import Synchronization

/// A clock that moves only when a test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// configuration.clock = clock
/// try await scheduler.enqueue(request, trigger: .oneTime(delay: .seconds(3600)))
/// clock.advance(by: .seconds(3600))
/// try await scheduler.waitUntilIdle()  // it has run
/// ```
///
/// May be used from any isolation.
public final class ManualClock: WorkClock {
    private struct Sleeper {
        var deadline: Duration
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: Date
        var uptime = Duration.seconds(1000)
        var nextID = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private let state: Mutex<State>

    /// Creates a clock that shows `now`.
    public init(now: Date = Date(timeIntervalSince1970: 1_800_000_000)) { state = Mutex(State(now: now)) }

    /// The wall clock's time.
    public var now: Date { state.withLock { $0.now } }

    /// The time that has passed by ``advance(by:)``, plus a small initial value.
    public var uptime: Duration { state.withLock { $0.uptime } }

    /// Lets time pass: both clocks advance, and callers that have slept long enough wake.
    public func advance(by duration: Duration) {
        let due = state.withLock { state -> [Sleeper] in
            state.now += Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
            state.uptime += duration
            let due = state.sleepers.filter { $0.value.deadline <= state.uptime }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Sets the wall clock, forward or back, as a user or a time daemon does: no time passes.
    public func set(_ now: Date) {
        let listeners = state.withLock { state in
            state.now = now
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield() }
    }

    /// How many callers are asleep.
    public var sleepers: Int { state.withLock { $0.sleepers.count } }

    /// Returns once at least `count` callers are asleep, so that a test can move the clock.
    public func untilSleeping(atLeast count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.sleepers.count < count { state.waiting.append((count, continuation)) }
                return state.sleepers.count >= count
            }
            if isThere { continuation.resume() }
        }
    }

    /// Returns when the clock has been advanced by `duration`. Throws `CancellationError` when the task is cancelled
    /// first.
    public func sleep(for duration: Duration) async throws { try await sleep { $0 + duration } }

    /// Returns when ``uptime`` has reached `deadline`, whenever this is called. Throws `CancellationError` when the task
    /// is cancelled first.
    public func sleep(untilUptime deadline: Duration) async throws { try await sleep { _ in deadline } }

    /// - Parameter deadline: computed from the uptime at the start of the sleep.
    private func sleep(until deadline: @Sendable (Duration) -> Duration) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in fallAsleep(id, until: deadline, continuation) }
        } onCancel: {
            cancel(id)
        }
    }

    /// An element for each ``set(_:)``.
    public func adjustments() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.nextID += 1
            state.listeners[state.nextID] = continuation
            return state.nextID
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) }
        }
        return stream
    }

    private func fallAsleep(
        _ id: Int, until deadline: (Duration) -> Duration, _ continuation: CheckedContinuation<Void, any Error>
    ) {
        enum Answer { case asleep, awake, cancelled }
        let (answer, satisfied) = state.withLock { state -> (Answer, [CheckedContinuation<Void, Never>]) in
            if state.cancelled.remove(id) != nil { return (.cancelled, []) }
            let deadline = deadline(state.uptime)
            if deadline <= state.uptime { return (.awake, []) }
            state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
            let count = state.sleepers.count
            defer { state.waiting.removeAll { $0.count <= count } }
            return (.asleep, state.waiting.filter { $0.count <= count }.map(\.continuation))
        }
        switch answer {
        case .asleep: break
        case .awake: continuation.resume()
        case .cancelled: continuation.resume(throwing: CancellationError())
        }
        for waiter in satisfied { waiter.resume() }
    }

    private func cancel(_ id: Int) {
        let sleeper = state.withLock { state -> Sleeper? in
            let sleeper = state.sleepers.removeValue(forKey: id)
            // Cancelled before it slept, or after it woke; ids are not used again.
            if sleeper == nil { state.cancelled.insert(id) }
            return sleeper
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
