import BackgroundWorkDevice
import BackgroundWorkModel
import BackgroundWorkFoundation

extension WorkScheduler {
    /// Where a scheduler keeps its files, and how it behaves.
    public struct Configuration: Sendable {
        /// The folder for the database, the state file and the agent; created if missing, for this user only. One
        /// folder is one queue: schedulers on the same folder share their work.
        public var directory: URL
        /// How many requests run at the same time, at least 1.
        public var maximumConcurrentWork = 16
        /// The most requests that run at the same time under one worker's name, across all schedulers on the folder
        /// that are configured alike. Names that are missing have no limit.
        public var workerLimits: [String: Int] = [:]
        /// Limits of queues, by their labels. Queues that are missing have none.
        public var queueLimits: [String: QueueLimits] = [:]
        /// How many finished requests are remembered: their events, and their answers to `info(id:)`. A durable
        /// subscriber that falls further behind is told how many it missed.
        public var retainedEvents = 10_000
        /// How old a finished request may grow before it is forgotten; `nil`: any age. Whichever limit comes first.
        public var retainedEventAge: Duration?
        /// The session that downloads belong to when their input names none.
        public var sessionIdentifier = "BackgroundWork.background"
        /// Which addresses the transfers may dial that are enqueued on this scheduler, whichever scheduler runs them.
        /// Those that were enqueued before, or on others, keep the policy of then and there: a narrower one here does
        /// not change accepted work. Cancel that.
        public var addressPolicy = AddressPolicy.publicInternet
        /// How many transfers run at the same time, and how fast. All counts, and the speed if there is one, at least 1.
        /// Of several processes on the folder the last one to connect decides.
        public var transferLimits = TransferLimits()
        /// How the Linux agent starts this program when a transfer has ended and no process is there. `nil`: it does
        /// not, and the outcome waits for the next launch.
        public var launchCommand: LaunchCommand?
        /// The agent's program on Linux, absolute. `nil`: see Docs/linux-agent.md for where it is looked for.
        public var agentExecutable: String?
        /// Where the time comes from.
        public var clock: any WorkClock = SystemWorkClock()
        /// Told of what happens to the scheduler itself. Called on any thread; it must not block.
        public var noticeHandler: (@Sendable (SchedulerNotice) -> Void)?
        /// Reads the device's state for constraints; `nil`: the platform's own reader.
        public var deviceState: (any DeviceStateReader)?
        /// Is told what happens, for metrics and traces. It never holds work back.
        public var telemetry: (any TelemetryHook)?
        /// Whether the daemon is told `transferLimits`. Otherwise it keeps those that it has from another process.
        package var decidesTransferLimits = true
        /// Whether work whose worker is not registered here is left for a process that has it, rather than failed.
        package var leavesUnknownWorkers = false
        /// Numbers from 0 to 1 for the jitter of retries.
        package var random: @Sendable () -> Double = { Double.random(in: 0...1) }
        /// In place of the platform's daemon.
        package var transferService: (any TransferService)?

        /// In place of the platform's way to be launched later.
        package var wakeService: (any WakeService)?

        /// Creates a configuration with the defaults.
        public init(directory: URL) { self.directory = directory }
    }
}

/// What a scheduler keeps of its configuration.
struct SchedulerSettings: Sendable {
    var clock: any WorkClock
    var random: @Sendable () -> Double
    var limits: WorkLimits
    var device: any DeviceStateReader

    init(_ configuration: WorkScheduler.Configuration, directory: String, workers: WorkerRegistry) {
        clock = configuration.clock
        random = configuration.random
        limits = WorkLimits(
            workers: configuration.workerLimits, queues: configuration.queueLimits,
            onlyWorkers: configuration.leavesUnknownWorkers ? Set(workers.names) : nil)
        device = configuration.deviceState ?? PlatformDeviceState.reader(directory: directory)
    }

    /// The shortest interval that the platform grants: iOS runs refresh tasks no more often than each quarter of an
    /// hour (https://developer.apple.com/documentation/backgroundtasks/bgapprefreshtask).
    static var minimumInterval: Duration {
        #if canImport(BackgroundTasks)
        .seconds(15 * 60)
        #else
        .seconds(1)
        #endif
    }
}
