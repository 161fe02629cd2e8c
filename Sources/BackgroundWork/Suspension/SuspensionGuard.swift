import BackgroundWorkModel
import Dispatch
import Synchronization

/// Sees to it that the process holds no lock in the scheduler's directory while it is suspended: iOS ends a process for
/// a lock on a file of an app group's container (0xDEAD10CC).
///
/// The locks are held under an activity of the system's, or while the system gives the process time for a task. When
/// the activity expires without such a task, or the app is in the background and idle, they are let go; when something
/// needs them, another activity is begun, and they are taken again.
final class SuspensionGuard: Sendable {
    /// One call of ``ExpiringActivities/perform(_:)``.
    private final class Activity: Sendable {
        let end = DispatchSemaphore(value: 0)
    }

    private enum Standing {
        case free
        case asking(Activity)
        case held(Activity)
        /// Held, or about to be, for the tasks that are open.
        case inTask
        /// - isWanted: something needs the locks again.
        case leaving(Activity, isWanted: Bool)
        /// The scheduler shuts down, under the last activity.
        case over(Activity?)

        func isCurrent(_ activity: Activity) -> Bool {
            switch self {
            case .asking(let current), .held(let current): current === activity
            case .free, .inTask, .leaving, .over: false
            }
        }
    }

    /// How long to wait before the next attempt, when the system grants no activity. Time stands still for a suspended
    /// process.
    private static let pause = Duration.seconds(1)

    private let activities: any ExpiringActivities
    private let locks: any SuspendableLocks
    private let clock: any WorkClock
    private let standing = Mutex(Standing.free)
    /// On which the locks are let go and taken, one after the other. It blocks.
    private let queue = DispatchQueue(label: "BackgroundWork.Suspension")
    /// The tasks for which the system gives the process time.
    private let openTasks = Atomic(0)
    private let following = TaskBag()

    init(activities: any ExpiringActivities, locks: any SuspendableLocks, clock: any WorkClock) {
        self.activities = activities
        self.locks = locks
        self.clock = clock
    }

    deinit { finish() }

    /// The activities under which the locks of a directory are held; `nil` where they need none.
    ///
    /// - Parameter isNeeded: `nil` where the platform decides.
    static func activities(
        _ activities: (any ExpiringActivities)?, ifNeeded isNeeded: Bool?, in directory: String
    ) -> (any ExpiringActivities)? {
        isNeeded ?? PlatformServices.endsProcesses(forLocksIn: directory) ? activities : nil
    }

    func start() {
        begin()
        let changes = activities.backgroundChanges
        following.add(
            Task { [weak self] in
                var leaving: Task<Void, Never>?
                for await isInBackground in changes {
                    leaving?.cancel()
                    guard let self else { return }
                    if isInBackground {
                        leaving = Task { [weak self] in await self?.letGoWhenIdle() }
                    } else {
                        self.begin()
                    }
                }
            })
    }

    /// Returns when work may start. Called while a task is open.
    func untilWorking() async { await locks.untilWorking() }

    /// The system gives the process time, until ``taskEnded()``.
    func taskBegan() {
        openTasks.add(1, ordering: .sequentiallyConsistent)
        taskGoesOn()
    }

    /// Returns when the process may be suspended as far as the locks are concerned.
    func taskEnded() async {
        guard openTasks.subtract(1, ordering: .sequentiallyConsistent).newValue == 0 else { return }
        let activity = Activity()
        let mustLeave = standing.withLock { standing in
            guard case .inTask = standing else { return false }
            standing = .held(activity)
            return true
        }
        if mustLeave, await ended(activity) { begin() }
    }

    private func taskGoesOn() {
        guard openTasks.load(ordering: .sequentiallyConsistent) > 0 else { return }
        let isFree = standing.withLock { standing in
            guard case .free = standing else { return false }
            standing = .inTask
            return true
        }
        if isFree { takeUpForTask() }
    }

    private func takeUpForTask() {
        DispatchQueue.global().async {
            self.blocking { guardian in
                guard guardian.standing.withLock({ if case .inTask = $0 { true } else { false } }) else { return }
                await guardian.locks.takeUp()
            }
        }
    }

    /// The scheduler shuts down: the locks are taken for what is left to do, and stay until ``finish()``. An activity is
    /// asked for when there is none; if it is refused, or expires, the process may be ended for the locks.
    func stop() async {
        following.cancelAll()
        let activity = Activity()
        let mustAsk = standing.withLock { standing in
            switch standing {
            case .asking(let current), .held(let current):
                standing = .over(current)
                return false
            case .free, .inTask, .leaving:
                standing = .over(activity)
                return true
            case .over: return false
            }
        }
        if mustAsk {
            activities.perform { isExpired in if !isExpired { activity.end.wait() } }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                self.blocking { await $0.locks.takeUp() }
                continuation.resume()
            }
        }
    }

    /// The locks are gone for good.
    func finish() {
        let activity = standing.withLock { standing -> Activity? in
            defer { standing = .over(nil) }
            switch standing {
            case .asking(let activity), .held(let activity), .leaving(let activity, _): return activity
            case .over(let activity): return activity
            case .free, .inTask: return nil
            }
        }
        activity?.end.signal()
    }

    /// Asks for an activity, unless there is one.
    private func begin() {
        let activity = Activity()
        let isFirst = standing.withLock { standing in
            switch standing {
            case .free:
                standing = .asking(activity)
                return true
            case .leaving(let current, _):
                standing = .leaving(current, isWanted: true)
                return false
            case .asking, .held, .inTask, .over: return false
            }
        }
        guard isFirst else { return }
        activities.perform { [weak self] isExpired in
            if isExpired {
                self?.expired(activity)
            } else {
                self?.granted(activity)
                // For as long as the locks are held.
                activity.end.wait()
            }
        }
    }

    private func granted(_ activity: Activity) {
        blocking { guardian in
            guard guardian.standing.withLock({ $0.isCurrent(activity) }) else { return }
            await guardian.locks.takeUp()
            guardian.standing.withLock { if $0.isCurrent(activity) { $0 = .held(activity) } }
        }
    }

    private func expired(_ activity: Activity) {
        // The system lets the process run again one day, and does what is wanted then.
        guard end(activity) else { return }
        Task { [weak self, clock] in
            try? await clock.sleep(for: Self.pause)
            self?.begin()
        }
    }

    private func letGoWhenIdle() async {
        await locks.untilIdle()
        guard !Task.isCancelled, case .held(let activity) = standing.withLock({ $0 }) else { return }
        if await ended(activity) { begin() }
    }

    /// The same as ``end(_:)``, for a caller that must not block.
    private func ended(_ activity: Activity) async -> Bool {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: self.end(activity)) }
        }
    }

    /// Lets the locks go, and then the activity. Returns whether they are wanted.
    private func end(_ activity: Activity) -> Bool {
        let isWanted = Atomic(false)
        blocking { guardian in
            let wasAsking = guardian.standing.withLock { standing -> Bool? in
                guard standing.isCurrent(activity) else { return nil }
                // The process is not suspended as long as a task is open.
                if guardian.openTasks.load(ordering: .sequentiallyConsistent) > 0 {
                    standing = .inTask
                    return nil
                }
                defer { standing = .leaving(activity, isWanted: false) }
                return if case .asking = standing { true } else { false }
            }
            guard let wasAsking else { return guardian.takeUpForTask() }
            let hadWork = await guardian.locks.letGo { [weak guardian] in guardian?.begin() }
            let isAsked = guardian.standing.withLock { standing in
                guard case .leaving(_, let isWanted) = standing else { return false }
                standing = .free
                return isWanted
            }
            // Work that was put back is to go on as soon as it may.
            // One that has begun meanwhile found the locks on their way.
            guardian.taskGoesOn()
            isWanted.store(isAsked || wasAsking || hadWork, ordering: .releasing)
        }
        activity.end.signal()
        return isWanted.load(ordering: .acquiring)
    }

    /// Runs a body to its end, after those before it. On a thread of the system's, which it blocks.
    private func blocking(_ body: @escaping @Sendable (SuspensionGuard) async -> Void) {
        queue.sync {
            let done = DispatchSemaphore(value: 0)
            Task {
                await body(self)
                done.signal()
            }
            done.wait()
        }
    }
}
