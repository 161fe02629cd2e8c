import BackgroundWorkFiles
import BackgroundWorkModel
import Synchronization

/// Runs a scheduler's due work while the system lets the app run in the background.
final class LaunchWindow: Sendable {
    private struct State {
        var open = 0
        /// Counts the windows, so that the end of an earlier pause does not end a later one.
        var opened = 0
        var margin = CleanUpMargin()
    }

    /// The time that stopped work has to end, from the expiration on. What takes longer is suspended with the process.
    private static let longestCleanUp = Duration.seconds(3)
    /// The time that the requests for the next launch may take.
    private static let longestRequest = Duration.seconds(2)
    /// From the end of a window on, nothing starts for so long: the process is suspended by then, and work that runs
    /// at that moment would count as interrupted if it were ended. Passes at once when a suspended process continues.
    private static let pauseAfterward = Duration.seconds(10)

    /// Of the scheduler's requests.
    let prefix: String
    private let runner: Runner
    private let wakes: WakeCoordinator
    private let suspension: SuspensionGuard?
    private let clock: any WorkClock
    private let notices: NoticeLog
    private let state = Mutex(State())

    init(
        prefix: String, runner: Runner, wakes: WakeCoordinator, suspension: SuspensionGuard?, clock: any WorkClock,
        notices: NoticeLog
    ) {
        self.prefix = prefix
        self.runner = runner
        self.wakes = wakes
        self.suspension = suspension
        self.clock = clock
        self.notices = notices
    }

    /// Whether it is one of the scheduler's requests, and the scheduler has not been shut down.
    func takes(_ identifier: String) -> Bool {
        !runner.isStopping && LaunchKind.allCases.contains { $0.identifier(prefix: prefix) == identifier }
    }

    /// Whether a task is running.
    var isOpen: Bool { state.withLock { $0.open > 0 } }

    /// Runs due work until none is left, the task expires, or the rest of its time is needed for putting work back.
    /// Requests the next launch. Returns whether no due work was left.
    func run(_ task: LaunchedTask) async -> Bool {
        let start = clock.uptime
        taskBegan()
        let margin = state.withLock { $0.margin }
        let isOver = FirstAnswer<Bool>()
        task.whenExpired { isOver.give(false) }
        let isIdle = await isOver.ended(before: task.timeLimit.map { start + margin.budget(of: $0) }, on: clock) {
            [runner, suspension] in
            // Its locks may be gone, since the process was suspended.
            await suspension?.untilWorking()
            await runner.untilIdle()
        }
        let isLast = taskEnded()
        // While another task keeps the process running, its work goes on.
        if !isIdle, isLast { await stopWork() }
        // The system has dropped the request for which it launched the app.
        _ = await FirstAnswer<Bool>().ended(before: clock.uptime + Self.longestRequest, on: clock) { [wakes] in
            await wakes.tellAgain()
        }
        await suspension?.taskEnded()
        return isIdle
    }

    /// The system keeps the process running, for a launch or for work that a user has started.
    func taskBegan() {
        state.withLock { state in
            state.open += 1
            state.opened += 1
        }
        suspension?.taskBegan()
        runner.resume(.windowIsOver)
    }

    /// Returns whether no other task keeps the process running.
    func taskEnded() -> Bool {
        state.withLock { state in
            state.open -= 1
            return state.open == 0
        }
    }

    /// The same, for work that a user has started: it has stopped by itself.
    func continuedTaskEnded() {
        _ = taskEnded()
        Task { [suspension] in await suspension?.taskEnded() }
    }

    func report(_ message: String) { notices.add(.launchNotRequested, message) }

    private func stopWork() async {
        let start = clock.uptime
        let number = state.withLock { $0.opened }
        runner.pause(.windowIsOver)
        // Another task has come meanwhile.
        guard !isOpen else { return runner.resume(.windowIsOver) }
        _ = await FirstAnswer<Bool>().ended(before: start + Self.longestCleanUp, on: clock) { [runner] in
            await runner.untilIdle()
        }
        let end = clock.uptime
        state.withLock { $0.margin.took(end - start) }
        Task { [weak self, clock] in
            try? await clock.sleep(untilUptime: end + Self.pauseAfterward)
            self?.endPause(number)
        }
    }

    private func endPause(_ number: Int) {
        if state.withLock({ $0.opened == number }) { runner.resume(.windowIsOver) }
    }
}

/// How long before the end of the known time to stop work, so that it is put back in time: twice the longest time
/// that this took in the process.
struct CleanUpMargin: Sendable {
    private static let shortest = Duration.seconds(1)
    private static let longest = Duration.seconds(10)
    private var measured = Duration.zero

    mutating func took(_ duration: Duration) { measured = max(measured, duration) }

    /// Of a limit, what may be spent on work: at least half.
    func budget(of limit: Duration) -> Duration {
        max(limit - min(max(measured * 2, Self.shortest), Self.longest), limit / 2)
    }
}
