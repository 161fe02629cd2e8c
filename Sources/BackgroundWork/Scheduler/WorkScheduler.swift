import BackgroundWorkBuiltIns
import BackgroundWorkFiles
import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers

/// Runs work that survives the process: accepted work is on disk and runs at least once, unless it is cancelled or
/// too late; its end is reported by exactly one event.
///
/// ```swift
/// var workers = WorkerRegistry()
/// try workers.register(TranscodeWorker.self) { TranscodeWorker() }
/// let scheduler = try WorkScheduler(configuration: .init(directory: url), workers: workers)
/// let events = scheduler.eventBus.events
/// Task { for await event in events { print(event.workID, event.outcome) } }
/// print(try await scheduler.sweepStaleStateOnLaunch())
/// try await scheduler.start()
/// ```
///
/// All methods may be called from any isolation. Nothing runs before ``start()``; enqueueing works before it.
public final class WorkScheduler: Sendable {
    /// Publishes the end of every request.
    public let eventBus: TaskEventBus
    let configuration: SchedulerSettings
    let store: WorkStore
    let ownership: Ownership
    let runner: Runner
    let notices: NoticeLog
    let ledger: SchedulerLedger
    let stateStore: TransferStateStore
    let transfers: TransferCoordinator?
    let transferService: (any TransferService)?
    /// Whether a worker hands transfers off, by its name as requested.
    let handsOffTransfers: @Sendable (String) -> Bool
    let triggers: TriggerCheck
    let changes = ChangeWatches()
    let telemetry: TelemetryRelay?
    let partialFiles: PartialFileSweep
    let fileTriggers: FileTriggers
    let clockGuard: ClockGuard
    let peers: Peers
    let wakes: WakeCoordinator?
    /// What the system launches the app for; `nil` where it does not.
    let launches: (dispatch: LaunchDispatch, window: LaunchWindow)?
    /// `nil` where the system does not end processes for their locks.
    let suspension: SuspensionGuard?
    /// What lets work of a user go on; `nil` where nothing does.
    let continued: ContinuedServices?
    let lifecycle = Lifecycle()
    let relay: CommitRelay
    let followers = TaskBag()

    /// Opens the directory's queue, or creates one. Blocks the calling thread while files are opened.
    ///
    /// A database or state file that is damaged is set aside under a dated name and reported in ``notices``. Throws
    /// ``ConfigurationError``, also for a database that a later version has written and for files that a locked device
    /// withholds, and ``FileError`` when the directory cannot be created or written.
    public init(configuration: Configuration, workers: WorkerRegistry) throws {
        let directory = try Self.prepare(configuration)
        let settings = SchedulerSettings(configuration, directory: directory, workers: workers)
        let notices = NoticeLog(clock: configuration.clock, handler: configuration.noticeHandler)
        DirectoryAttributes.set(on: directory, isExcludedFromBackup: configuration.isExcludedFromBackup) {
            notices.add(.attributesNotSet, $0)
        }
        let relay = CommitRelay()
        let zones = SystemTimeZones()
        let store = try ConfigurationError.opening {
            try WorkStore(
                path: directory + "/work.sqlite",
                settings: StoreSettings(
                    retainedEvents: configuration.retainedEvents,
                    retainedAgeMs: configuration.retainedEventAge?.milliseconds, triggers: TriggerRules(zones: zones),
                    recordsTelemetry: configuration.telemetry != nil,
                    securityPolicy: configuration.securityPolicy,
                    mayLeaveTransfers: { workers.worker(named: $0)?.handsOffTransfers ?? true },
                    // The built-in workers are registered in every process.
                    secrets: SecretInputs(
                        mayBeOf: { workers.worker(named: $0)?.removesSecrets ?? false },
                        removed: TransferInputSecrets.removed)),
                now: configuration.clock.now, user: { try OwnerFolder(directory: directory).living() },
                committed: relay.pass)
        }
        if let setAside = store.setAside {
            notices.add(
                .fileSetAside,
                "\(directory)/work.sqlite could not be read; it was kept as \(setAside), and a new one created")
        }
        let ownership = Ownership(directory: directory, store: store, clock: configuration.clock)
        let folders = try BaseFolders(directory: directory, clock: configuration.clock, report: notices.reportSetAside)
            .record(configuration.baseFolders) {
                // The ancestor has no such record.
                try TransferStateStore(directory: directory, clock: configuration.clock, report: notices.reportSetAside)
                    .entries().filter { $0.reference == nil }.map(\.savePath)
            }
        let stateStore = TransferStateStore(
            directory: directory, folders: folders, clock: configuration.clock, report: notices.reportSetAside)
        let ledger = SchedulerLedger(
            store: store, ownership: ownership, clock: configuration.clock, random: configuration.random)
        let context = TransferServiceContext(
            directory: directory, store: store.identity, session: configuration.sessionOptions, folders: folders,
            clock: configuration.clock, stateStore: stateStore, report: { notices.add(.daemonUnreachable, $0) })
        let platform = PlatformServices(
            for: PlatformServices.Client(
                context: context, agentExecutable: configuration.agentExecutable,
                launchCommand: configuration.launchCommand,
                limits: configuration.decidesTransferLimits ? configuration.transferLimits : nil, notices: notices))
        let service =
            configuration.transferService ?? configuration.makeTransferService?(context) ?? platform.transfers
        let bus = TaskEventBus(store: store, ownership: ownership)
        let progress = WorkProgressPublisher(store: store, clock: configuration.clock, publish: bus.publish)
        let changes = changes
        let transferProgress = TransferProgressPublisher(store: store, clock: configuration.clock) { events in
            bus.publish(events)
            changes.changed(events.map(\.workID))
        }
        bus.connect { [weak progress, weak transferProgress] in
            (progress?.newest ?? []) + (transferProgress?.newest ?? [])
        }
        let handsOffTransfers: @Sendable (String) -> Bool = { workers.worker(named: $0)?.handsOffTransfers ?? false }
        let transfers = service.map { service in
            TransferCoordinator(
                store: store, stateStore: stateStore, service: service, folders: folders, ledger: ledger,
                progress: transferProgress,
                handsOffTransfers: handsOffTransfers, sessionIdentifier: configuration.sessionIdentifier,
                clock: configuration.clock, notices: notices)
        }
        if let transfers { SessionEventDispatch.shared.add(transfers) }
        var services = WorkerServices(handOff: { securityPolicy in
            guard let service else { throw UnsupportedTransfersError() }
            return TransferHandOff(
                service: service, stateStore: stateStore, store: store.identity,
                sessionIdentifier: configuration.sessionIdentifier, securityPolicy: securityPolicy.moved(by: folders),
                session: configuration.sessionOptions, folders: folders, clock: configuration.clock,
                isHeld: { key in try await store.readOne { try $0.holdsTransfer(of: key.workID) } },
                isSettled: { key in
                    let status = try await store.read { try $0.record(id: key.workID)?.status }
                    return status.map { $0.state.isFinished || $0.generation != key.generation } ?? true
                },
                environment: ProxyVariables.ofProcess)
        })
        services.clock = configuration.clock
        let partialFiles = PartialFiles(directory: directory, store: store.identity)
        services.partialFiles = partialFiles
        self.partialFiles = PartialFileSweep(files: partialFiles, store: store)
        let telemetry = configuration.telemetry.map(TelemetryRelay.init)
        let triggers = TriggerCheck(zones: zones, minimumInterval: SchedulerSettings.minimumInterval)
        let runner = Runner(
            Runner.Parts(
                store: store, execution: WorkExecution(workers: workers, services: services),
                slots: min(configuration.maximumConcurrentWork, Runner.mostSlots), limits: settings.limits,
                triggers: triggers,
                validation: InputValidation(workers: workers, securityPolicy: configuration.securityPolicy),
                clock: configuration.clock, random: configuration.random, device: settings.device,
                progress: progress, telemetry: telemetry, notices: notices))
        fileTriggers = FileTriggers(store: store, clock: configuration.clock, notices: notices)
        let launchWakes = configuration.backgroundTaskIdentifier.flatMap { prefix in
            configuration.launches.map {
                BackgroundTaskWakes(prefix: prefix, launches: $0, clock: configuration.clock, notices: notices)
            }
        }
        let daemon = configuration.launchCommand == nil ? nil : configuration.wakeService ?? platform.wakes
        wakes = (daemon ?? launchWakes ?? settings.idleActivity).map {
            WakeCoordinator(
                store: store, service: $0, clock: configuration.clock, notices: notices,
                onlyWorkers: settings.limits.onlyWorkers)
        }
        continued =
            if let prefix = configuration.backgroundTaskIdentifier, let tasks = configuration.continuedTasks {
                ContinuedServices(prefix: prefix, tasks: tasks)
            } else { nil }
        let lifecycle = lifecycle
        peers = Peers(
            store: store, ownership: ownership, clock: configuration.clock, notices: notices,
            news: {
                guard !lifecycle.isShutDown else { return }
                try await store.write { try $0.readChangesOfOthers() }
            }, stopsAreRead: runner.beginWaiting)
        suspension = SuspensionGuard.activities(
            configuration.expiringActivities, ifNeeded: configuration.releasesLocksWhenSuspended, in: directory
        ).map { [peers] activities in
            let locks = DirectoryLocks(
                runner: runner, ownership: ownership, peers: peers,
                queues: [store.writerQueue, stateStore.writerQueue] + (service?.lockingQueues ?? []),
                clock: configuration.clock, notices: notices)
            return SuspensionGuard(activities: activities, locks: locks, clock: configuration.clock)
        }
        launches =
            if let prefix = configuration.backgroundTaskIdentifier, let launches = configuration.launches, let wakes {
                (
                    launches.dispatch,
                    LaunchWindow(
                        prefix: prefix, runner: runner, wakes: wakes, suspension: suspension,
                        clock: configuration.clock, notices: notices)
                )
            } else { nil }
        clockGuard = ClockGuard(store: store, clock: configuration.clock, notices: notices) { runner.wake() }
        let reactions = CommitObserver(
            bus: bus, runner: runner, transfers: transfers, partialFiles: self.partialFiles, fileTriggers: fileTriggers,
            telemetry: telemetry,
            wakes: wakes, changes: changes, directory: directory, lifecycle: lifecycle)
        // As long as work may run, also without the scheduler, its locks are let go in time.
        relay.connect { [suspension] summary in withExtendedLifetime(suspension) { reactions.committed(summary) } }
        self.relay = relay
        self.configuration = settings
        self.notices = notices
        self.store = store
        self.ownership = ownership
        self.stateStore = stateStore
        self.ledger = ledger
        self.transfers = transfers
        self.runner = runner
        self.triggers = triggers
        self.telemetry = telemetry
        transferService = service
        self.handsOffTransfers = handsOffTransfers
        eventBus = bus
        suspension?.start()
    }

    /// The newest notices of the scheduler, at most 100, oldest first.
    public var recentNotices: [SchedulerNotice] { notices.newest }

    private static func prepare(_ configuration: Configuration) throws -> String {
        guard configuration.directory.isFileURL else {
            throw ConfigurationError.directoryIsNoFile(configuration.directory.absoluteString)
        }
        let numbers = [
            ("maximumConcurrentWork", configuration.maximumConcurrentWork),
            ("retainedEvents", configuration.retainedEvents),
        ]
        for (name, value) in numbers + limitNumbers(configuration) where value < 1 {
            throw ConfigurationError.notPositive(name: name, value: value)
        }
        try ConfigurationError.check(configuration.transferLimits)
        try ConfigurationError.check(configuration.securityPolicy)
        for (queue, limits) in configuration.queueLimits { try check(limits, ofQueue: queue) }
        if let reason = configuration.launchCommand?.complaint {
            throw ConfigurationError.launchCommand(reason: reason)
        }
        let directory = DurableFile.withoutTrailingSlashes(
            configuration.directory.absoluteURL.path(percentEncoded: false))
        try Folder.create(directory, mode: 0o700)
        try ConfigurationError.check(privacyOf: directory)
        guard !StandaloneFolder.isOne(directory) else {
            throw ConfigurationError.directoryOfStandaloneTransfers(directory)
        }
        OwnDirectories.register(directory)
        return directory
    }

    private static func limitNumbers(_ configuration: Configuration) -> [(String, Int)] {
        let transfers = configuration.transferLimits
        let transferNumbers = [
            ("transferLimits.overall", transfers.overall), ("transferLimits.perHost", transfers.perHost),
            ("transferLimits.perSession", transfers.perSession),
            ("transferLimits.bytesPerSecond", Int(clamping: transfers.bytesPerSecond ?? 1)),
        ]
        return transferNumbers + configuration.workerLimits.map { ("workerLimits[\"\($0)\"]", $1) }
    }
}
