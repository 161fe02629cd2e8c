import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkTransfers
import Synchronization

/// The condition `deviceIdle` on a Mac: it holds while the system runs an activity of this process. One is requested
/// for the time when the first work that needs an idle device is due, and lasts until no work runs that may, or until
/// the system asks to defer the rest.
final class IdleActivity: DeviceStateReader, WakeService {
    /// How long after the due time the system may choose a time.
    private static let flexibility = Duration.seconds(600)
    /// How often the system is asked whether the time is over.
    private static let interval = Duration.seconds(5)

    private struct State {
        var isRunning = false
        /// When the first work that needs an idle device is due.
        var due: WallTime?
        var nextListener = 0
        var listeners: [Int: WakeSignal] = [:]
        /// Retains this object. `nil` until it is started.
        weak var runner: Runner?
    }

    private let identifier: String
    private let activities: any ActivityScheduler
    /// Of the other conditions.
    private let others: any DeviceStateReader
    private let clock: any WorkClock
    private let state = Mutex(State())

    init(
        identifier: String, activities: any ActivityScheduler, others: any DeviceStateReader, clock: any WorkClock
    ) {
        self.identifier = identifier
        self.activities = activities
        self.others = others
        self.clock = clock
    }

    /// Activities before this call are deferred.
    func start(_ runner: Runner) { state.withLock { $0.runner = runner } }

    // MARK: The condition

    func state() async -> DeviceState {
        // Whether the platform can read this condition does not matter here.
        var device = await others.state().restricted(to: .all.subtracting(.deviceIdle))
        if state.withLock({ $0.isRunning }) { device.satisfied.insert(.deviceIdle) }
        return device
    }

    func changes(of interest: Constraints) -> AsyncStream<DeviceState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: DeviceState.self, bufferingPolicy: .bufferingNewest(1))
        let signal = WakeSignal()
        let number = state.withLock { state in
            state.nextListener += 1
            state.listeners[state.nextListener] = signal
            return state.nextListener
        }
        let changesOfOthers = others.changes(of: interest.subtracting(.deviceIdle))
        let watching = Task {
            for await _ in changesOfOthers { signal.raise() }
        }
        let task = Task { [weak self] in
            while !Task.isCancelled {
                await signal.wait()
                guard let state = await self?.state() else { break }
                continuation.yield(state)
            }
            continuation.finish()
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.listeners[number] = nil }
            watching.cancel()
            task.cancel()
        }
        return stream
    }

    // MARK: The activity

    func setWakes(_ wakes: WakeList) async throws {
        let due = wakes.times.filter { $0.needs.contains(.deviceIdle) }.map(\.earliest).min()
        let isChanged = state.withLock { state in
            defer { state.due = due }
            // A running activity is followed by the next one.
            return state.due != due && !state.isRunning
        }
        if isChanged { await request() }
    }

    private func request() async {
        guard let due = state.withLock({ $0.due }) else { return await activities.cancel(identifier) }
        let delay = Duration.milliseconds(max(0, due.milliseconds - WallTime(clock.now).milliseconds))
        await activities.schedule(identifier, after: delay, flexibility: Self.flexibility) { [weak self] activity in
            Task {
                guard let self else { return await activity.end(isFinished: true) }
                await self.run(activity)
            }
        }
    }

    private func run(_ activity: any SystemActivity) async {
        guard let runner = state.withLock({ $0.runner }) else { return await activity.end(isFinished: false) }
        setRunning(true)
        let answer = FirstAnswer<Bool>()
        Task {
            await runner.readDevice()
            await runner.untilIdle()
            answer.give(true)
        }
        let watch = Task { [clock] in
            while await !activity.shouldDefer {
                do { try await clock.sleep(for: Self.interval) } catch { return }
            }
            answer.give(false)
        }
        let isFinished = await answer.wait()
        watch.cancel()
        setRunning(false)
        // Nothing starts any more, and what runs is asked to stop, before the system hears of the end.
        await runner.readDevice()
        await activity.end(isFinished: isFinished)
        if isFinished, !runner.isStopping { await request() }
    }

    private func setRunning(_ isRunning: Bool) {
        let listeners = state.withLock { state in
            state.isRunning = isRunning
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.raise() }
    }
}
