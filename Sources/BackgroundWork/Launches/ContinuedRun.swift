import BackgroundWorkModel
import Synchronization

/// Work that a user has started, while the system shows it and lets it go on in the background. Made by
/// ``WorkScheduler/continueInBackground(ids:title:subtitle:onExpiration:whenBusy:)``.
public final class ContinuedRun: Sendable {
    /// How it has ended.
    public enum End: Sendable, Hashable {
        /// All of its work has ended. `success`: all of it has succeeded.
        case finished(success: Bool)
        /// The user has cancelled it in the system's interface, or the system has ended it; nothing tells which.
        case expired
        /// The scheduler was shut down.
        case shutDown
    }

    private struct State {
        var display: ContinuedDisplay
        var task: LaunchedTask?
        var hasExpired = false
        var end: End?
        var waiting: [CheckedContinuation<End, Never>] = []
    }

    private static let count = Atomic(0)

    /// A number that no other run of this process has: a handler can be registered once for each identifier.
    static var nextNumber: Int { count.add(1, ordering: .relaxed).newValue }

    let identifier: String
    /// Whether the subtitle is the newest message of the work.
    private let showsMessages: Bool
    /// Raised when its work may have changed, and when it has expired.
    let signal = WakeSignal()
    private let state: Mutex<State>

    /// - Parameter subtitle: `nil`: the newest message of the work.
    init(identifier: String, title: String, subtitle: String?) {
        self.identifier = identifier
        showsMessages = subtitle == nil
        state = Mutex(State(display: ContinuedDisplay(title: title, subtitle: subtitle ?? "")))
    }

    /// Waits until it has ended: until its work has, or until the system has taken the time back.
    public var end: End {
        get async {
            await withCheckedContinuation { continuation in
                let end = state.withLock { state in
                    if state.end == nil { state.waiting.append(continuation) }
                    return state.end
                }
                if let end { continuation.resume(returning: end) }
            }
        }
    }

    /// Replaces what the system shows. Without a subtitle the current one stays.
    public func update(title: String, subtitle: String? = nil) {
        change { display in
            display.title = title
            if let subtitle { display.subtitle = subtitle }
        }
    }

    var hasExpired: Bool { state.withLock { $0.hasExpired } }

    /// Whether the system runs its task.
    var isLaunched: Bool { state.withLock { $0.task != nil } }

    /// The system runs its task now. False when the run has ended before; the task is completed then.
    func launched(_ task: LaunchedTask) -> Bool {
        let end = state.withLock { state in
            if state.end == nil { state.task = task }
            return state.end
        }
        if let end {
            task.complete(success: end == .finished(success: true))
            return false
        }
        task.show { self.display }
        task.whenExpired { [weak self] in self?.expire() }
        return true
    }

    /// Shows the state of its work.
    func show(_ standing: ContinuedStanding) {
        change { display in
            display.completed = standing.completed
            display.total = standing.total
            if showsMessages, let message = standing.message { display.subtitle = message }
        }
    }

    /// Completes the system's task. Only the first call counts.
    func finish(_ end: End) {
        let (task, waiting) = state.withLock { state -> (LaunchedTask?, [CheckedContinuation<End, Never>]) in
            guard state.end == nil else { return (nil, []) }
            state.end = end
            defer { state.waiting = [] }
            return (state.task, state.waiting)
        }
        task?.complete(success: end == .finished(success: true))
        for continuation in waiting { continuation.resume(returning: end) }
    }

    private var display: ContinuedDisplay { state.withLock { $0.display } }

    private func expire() {
        state.withLock { $0.hasExpired = true }
        signal.raise()
    }

    private func change(_ body: (inout ContinuedDisplay) -> Void) {
        let task = state.withLock { state -> LaunchedTask? in
            let old = state.display
            body(&state.display)
            return state.end == nil && state.display != old ? state.task : nil
        }
        task?.show { self.display }
    }
}

/// How far the work of a run is.
struct ContinuedStanding: Sendable, Hashable {
    var completed: Int64 = 0
    var total: Int64
    /// All of it has ended.
    var isOver = true
    /// None of it has ended otherwise than with success.
    var isSuccess = true
    var isRunning = false
    /// The newest message of the first work that has one and has not ended.
    var message: String?

    /// - Parameters:
    ///   - infos: what is known of it. What is no longer retained has ended.
    ///   - count: how many pieces of work there are.
    init(_ infos: [WorkInfo], of count: Int) {
        total = Int64(count) * ContinuedDisplay.unitsOfWork
        completed = Int64(count - infos.count) * ContinuedDisplay.unitsOfWork
        for info in infos {
            if info.state.isFinished {
                completed += ContinuedDisplay.unitsOfWork
                if info.state != .succeeded { isSuccess = false }
            } else {
                isOver = false
                // All of it only when it has ended.
                let done = Double(ContinuedDisplay.unitsOfWork) * (info.progress?.fraction ?? 0)
                completed += min(Int64(done), ContinuedDisplay.unitsOfWork - 1)
                if info.state == .running { isRunning = true }
                if message == nil { message = info.progress?.message }
            }
        }
    }
}
