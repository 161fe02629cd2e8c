import BackgroundWorkDevice
import BackgroundWorkFoundation
import BackgroundWorkModel

extension WorkScheduler {
    /// Where a scheduler keeps its files, and how it behaves.
    public struct Configuration: Sendable {
        /// The folder for the database, the state file and the agent; created if missing, for this user only. One
        /// folder is one queue: schedulers on the same folder share their work.
        public var directory: URL
        /// Whether backups leave the folder out, on Apple's platforms: backups of the device, and Time Machine. `nil`: as
        /// it is, which is not unless somebody has set it.
        ///
        /// A device that is restored from a backup continues the work that the backup contains, also what the other device
        /// has done since. `true` where that must not be, and the app can enqueue anew. What URL sessions have received
        /// is never in a backup.
        public var isExcludedFromBackup: Bool?
        /// How many requests run at the same time, at least 1.
        public var maximumConcurrentWork = 16
        /// The most requests that run at the same time under one worker's name, across all schedulers on the folder
        /// that have the same configuration. Names that are missing have no limit.
        public var workerLimits: [String: Int] = [:]
        /// Limits of queues, by their labels. Queues that are missing have none.
        public var queueLimits: [String: QueueLimits] = [:]
        /// How many finished requests are retained: their events, and their answers to `info(id:)`. A durable
        /// subscriber that falls further behind is told how many it missed.
        public var retainedEvents = 10_000
        /// How old a finished request may become before it is deleted; `nil`: any age. The first limit that is
        /// reached applies.
        public var retainedEventAge: Duration?
        /// Folders that may have another path at the next launch, with all that is in them, by names that stay. A path
        /// below one of them that was stored at an earlier launch is used below its current path: the target of a
        /// download, the source of an upload, the files of TLS. On Apple's platforms the container of the app, by the
        /// bundle's identifier; add those of app groups that transfers use. None on Linux.
        public var baseFolders = PlatformServices.baseFolders
        /// The session of transfers whose input names none. On Apple's platforms it is derived from the bundle's
        /// identifier, so that an app and its extensions have different ones.
        public var sessionIdentifier = PlatformServices.sessionIdentifier
        /// How this scheduler's sessions behave.
        public var sessionOptions = BackgroundSessionOptions()
        /// Where the transfers that are enqueued on this scheduler may connect to, and which files they may use,
        /// whichever scheduler runs them.
        /// Transfers that were enqueued earlier, or on other schedulers, keep the policy under which they were
        /// enqueued: a narrower policy here does not change accepted work. Cancel such work.
        public var securityPolicy = SecurityPolicy.publicInternet
        /// How many transfers run at the same time, and how fast. All counts, and the speed if there is one, at least
        /// 1. Of several processes on the folder the last one to connect decides.
        public var transferLimits = TransferLimits()
        /// How the Linux agent starts this program when a transfer has ended and no process is running. `nil`: it
        /// does not, and the outcome waits for the next launch.
        public var launchCommand: LaunchCommand?
        /// The beginning of the identifiers by which iOS, tvOS, visionOS and Mac Catalyst launch the app for due work,
        /// once ``WorkScheduler/registerBackgroundTasks(identifier:)`` was called, and let work of a user go on, and by
        /// which macOS finds times for work that needs an idle device; `nil`: not for this scheduler's work.
        /// By default it is derived from the bundle's identifier. Schedulers on different directories need different
        /// ones: a request replaces the one with the same identifier.
        public var backgroundTaskIdentifier: String? = PlatformServices.backgroundTaskIdentifier
        /// The absolute path of the agent's program on Linux. `nil`: Docs/linux-agent.md says where it is searched
        /// for.
        public var agentExecutable: String?
        /// The source of the time.
        public var clock: any WorkClock = SystemWorkClock()
        /// Receives the scheduler's notices. Called on any thread; it must not block.
        public var noticeHandler: (@Sendable (SchedulerNotice) -> Void)?
        /// Reads the device's state for constraints; `nil`: the platform's own reader.
        public var deviceState: (any DeviceStateReader)?
        /// Receives events for metrics and traces. It never delays work.
        public var telemetry: (any TelemetryHook)?
        /// Whether `transferLimits` are sent to the daemon. Otherwise it keeps those of another process.
        package var decidesTransferLimits = true
        /// Whether work whose worker is not registered here is left for a process that has the worker, rather than
        /// failed.
        package var leavesUnknownWorkers = false
        /// Numbers from 0 to 1 for the jitter of retries.
        package var random: @Sendable () -> Double = { Double.random(in: 0...1) }
        /// Replaces the platform's daemon.
        package var transferService: (any TransferService)?
        /// The same, for one that is made for the scheduler.
        package var makeTransferService: (@Sendable (TransferServiceContext) -> any TransferService)?
        /// Replaces the platform's way to be launched later.
        package var wakeService: (any WakeService)?
        /// Whether the scheduler lets go of its locks before the process is suspended; `nil`: where the system ends
        /// processes for them, which is in the containers of app groups on iOS, tvOS and visionOS.
        ///
        /// Running work is stopped then as at a shutdown, and put back; what is enqueued waits until the process may
        /// run again. Elsewhere it has no effect.
        public var releasesLocksWhenSuspended: Bool?
        /// Replaces the system's word about suspensions.
        var expiringActivities = PlatformServices.expiringActivities
        /// Replaces the system that launches apps.
        var launches = PlatformServices.launches
        /// Replaces the system that lets work of a user go on.
        var continuedTasks = PlatformServices.continuedTasks
        /// Replaces the system that has good times for activities.
        var activities = PlatformServices.activities

        /// Creates a configuration with the defaults.
        public init(directory: URL) { self.directory = directory }
    }
}

/// The part of the configuration that a scheduler keeps.
struct SchedulerSettings: Sendable {
    var clock: any WorkClock
    var random: @Sendable () -> Double
    var limits: WorkLimits
    var device: any DeviceStateReader
    /// `device`, where an activity of the system says when it is idle.
    var idleActivity: IdleActivity?

    init(_ configuration: WorkScheduler.Configuration, directory: String, workers: WorkerRegistry) {
        clock = configuration.clock
        random = configuration.random
        limits = WorkLimits(
            workers: configuration.workerLimits, queues: configuration.queueLimits,
            onlyWorkers: configuration.leavesUnknownWorkers ? Set(workers.names) : nil)
        let platform = PlatformDeviceState(directory: directory)
        if configuration.deviceState == nil, let activities = configuration.activities,
            let prefix = configuration.backgroundTaskIdentifier
        {
            idleActivity = IdleActivity(
                identifier: prefix + ".idle", activities: activities, others: platform, clock: configuration.clock)
        }
        device = configuration.deviceState ?? idleActivity ?? platform
    }

    /// The shortest interval that the platform supports: iOS runs refresh tasks no more often than every 15 minutes
    /// (https://developer.apple.com/documentation/backgroundtasks/bgapprefreshtask).
    static var minimumInterval: Duration {
        #if BACKGROUNDWORK_HAS_TASK_SCHEDULER
        .seconds(15 * 60)
        #else
        .seconds(1)
        #endif
    }
}
