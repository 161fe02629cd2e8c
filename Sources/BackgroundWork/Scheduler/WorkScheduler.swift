import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Runs work that survives the process: what it has accepted is on disk, is done once, and is reported once.
///
/// ```swift
/// var workers = WorkerRegistry()
/// try workers.register(TranscodeWorker.self) { TranscodeWorker() }
/// let scheduler = try WorkScheduler(configuration: .init(directory: url), workers: workers)
/// let events = scheduler.events.events
/// Task { for await event in events { print(event.workID, event.outcome) } }
/// print(try await scheduler.sweepStaleStateOnLaunch())
/// try await scheduler.start()
/// ```
///
/// All methods may be called from any isolation. Nothing runs before ``start()``; enqueueing works before it.
public final class WorkScheduler: Sendable {
    /// Publishes the end of every request.
    public let events: TaskEventBus
    let configuration: Configuration
    let store: WorkStore
    let ownership: Ownership
    let runner: Runner
    let notices: NoticeLog
    let ledger: SchedulerLedger
    let stateStore: TransferStateStore
    let transfers: TransferCoordinator?
    let transferService: (any TransferService)?
    let lifecycle = Lifecycle()

    /// Opens the directory's queue, or begins one. Blocks the calling thread while files are opened.
    ///
    /// A database or state file that is damaged is set aside under a dated name and reported in ``notices``. Throws
    /// ``ConfigurationError``, ``FileError`` when the directory cannot be made or written, and ``SchemaTooNewError``
    /// when a later version has written the database.
    public init(configuration: Configuration, workers: WorkerRegistry) throws {
        let directory = try Self.prepare(configuration)
        let notices = NoticeLog(clock: configuration.clock, handler: configuration.noticeHandler)
        let relay = CommitRelay()
        let store = try WorkStore(
            path: directory + "/work.sqlite", retainedEvents: configuration.retainedEvents,
            now: configuration.clock.now, committed: relay.pass)
        if let setAside = store.setAside {
            notices.add(
                .fileSetAside,
                "\(directory)/work.sqlite could not be read; it was kept as \(setAside), and a new one begun")
        }
        let ownership = Ownership(directory: directory, store: store, clock: configuration.clock)
        let stateStore = TransferStateStore(directory: directory, clock: configuration.clock) { message in
            notices.add(.fileSetAside, message)
        }
        let ledger = SchedulerLedger(
            store: store, ownership: ownership, clock: configuration.clock, random: configuration.random)
        let service =
            configuration.transferService
            ?? Self.platformService(configuration, directory: directory, store: store, stateStore: stateStore)
        let transfers = service.map { service in
            TransferCoordinator(
                store: store, stateStore: stateStore, service: service, ledger: ledger, clock: configuration.clock,
                notices: notices)
        }
        let services = WorkerServices(transfers: {
            guard let service else { throw UnsupportedTransfersError() }
            return TransferHandOff(
                service: service, stateStore: stateStore, store: store.identity,
                sessionIdentifier: configuration.sessionIdentifier, addressPolicy: configuration.addressPolicy,
                clock: configuration.clock)
        })
        let runner = Runner(
            store: store, execution: WorkExecution(workers: workers, services: services),
            slots: configuration.maximumConcurrentWork, clock: configuration.clock, random: configuration.random,
            notices: notices)
        let bus = TaskEventBus(store: store, ownership: ownership)
        relay.connect { summary in
            bus.publish(summary.events)
            TaskEventBus.shared.publish(summary.events)
            if summary.mayHaveDueWork { runner.wake() }
            if !summary.stoppedRunning.isEmpty {
                Task { await runner.stop(summary.stoppedRunning, because: .cancelled) }
            }
            if summary.hasOutbox, let transfers { Task { await transfers.drainOutbox() } }
        }
        self.configuration = configuration
        self.notices = notices
        self.store = store
        self.ownership = ownership
        self.stateStore = stateStore
        self.ledger = ledger
        self.transfers = transfers
        self.runner = runner
        transferService = service
        events = bus
    }

    /// The newest things that happened to the scheduler itself, at most 100, oldest first.
    public var recentNotices: [SchedulerNotice] { notices.newest }

    private static func prepare(_ configuration: Configuration) throws -> String {
        guard configuration.directory.isFileURL else {
            throw ConfigurationError.directoryIsNoFile(configuration.directory.absoluteString)
        }
        let numbers = [
            ("maximumConcurrentWork", configuration.maximumConcurrentWork),
            ("retainedEvents", configuration.retainedEvents),
        ]
        for (name, value) in numbers where value < 1 {
            throw ConfigurationError.notPositive(name: name, value: value)
        }
        if let reason = configuration.launchCommand?.complaint {
            throw ConfigurationError.launchCommand(reason: reason)
        }
        var directory = configuration.directory.absoluteURL.path(percentEncoded: false)
        while directory.count > 1, directory.hasSuffix("/") { directory.removeLast() }
        try Folder.create(directory, mode: 0o700)
        return directory
    }

    private static func platformService(
        _ configuration: Configuration, directory: String, store: WorkStore, stateStore: TransferStateStore
    ) -> (any TransferService)? {
        #if os(Linux)
        AgentTransferService(
            directory: directory, store: store.identity, agentExecutable: configuration.agentExecutable,
            launchCommand: configuration.launchCommand, clock: configuration.clock,
            highestTaskIdentifier: { try stateStore.entries().map(\.taskIdentifier).max() ?? 0 })
        #else
        nil
        #endif
    }
}
