import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers
import Dispatch
import Synchronization

/// Runs everything that waits for the disk: the journal's transactions, syncs, deletions.
///
/// Jobs run in order. All queued jobs are committed in one transaction.
actor StorageQueue {
    private nonisolated let executor = DispatchQueueExecutor(label: "bgwork.agent.storage")
    private nonisolated let waiting = Mutex<[StorageJob]>([])
    private let paths: AgentPaths
    private let boot: String
    private var journal: Journal?
    private var logEmptying = LogEmptying()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(paths: AgentPaths, boot: String) {
        self.paths = paths
        self.boot = boot
    }

    /// Opens the journal and makes staging files and journal consistent. Blocks; only for the start.
    nonisolated func open() throws -> StartingState {
        try executor.queue.sync { try assumeIsolated { try $0.openJournal() } }
    }

    nonisolated func add(_ job: StorageJob) {
        let wasEmpty = waiting.withLock { jobs in
            jobs.append(job)
            return jobs.count == 1
        }
        guard wasEmpty else { return }
        executor.queue.async { self.assumeIsolated { $0.runWaitingJobs() } }
    }

    /// Blocks until every job is done, then empties the write-ahead log and closes the journal.
    nonisolated func close() {
        executor.queue.sync {
            assumeIsolated {
                $0.runWaitingJobs()
                $0.closeJournal()
            }
        }
    }

    private func openJournal() throws -> StartingState {
        let folder = StagingFolder(paths: paths)
        try folder.create()
        let isLogLeft = LogEmptying.isLeft(byLogOf: paths.journal)
        let journal = try JournalOpener(path: paths.journal, report: AgentLog.write).open()
        let active = try journal.activeTransfers(report: AgentLog.write)
        for record in active where record.boot != boot {
            try folder.cut(task: record.task, toCheckpoint: record.checkpoint, parts: record.parts)
        }
        try journal.claimActiveTransfers(boot: boot)
        folder.deleteAll(except: try journal.taskIdentifiers())
        self.journal = journal
        if isLogLeft { planEmptying(logEmptying.want()) }
        return StartingState(
            epoch: journal.epoch, active: active, outcomes: try journal.outcomes(report: AgentLog.write),
            launchCommand: try journal.launchCommand(), wakes: try journal.wakes(), limits: try journal.limits())
    }

    private func runWaitingJobs() {
        let jobs = waiting.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
        guard !jobs.isEmpty, let journal else { return }
        let errors = StagingSync(folder: StagingFolder(paths: paths)).synchronize(jobs.map(\.files))
        var prepared: [StorageJob] = []
        for (job, error) in zip(jobs, errors) {
            if let error { job.end(error) } else { prepared.append(job) }
        }
        do {
            try journal.connection.transaction { for job in prepared { try job.write(journal) } }
            prepared.forEach(conclude)
        } catch {
            // One of the jobs caused the failure: with a transaction for each, only that one fails.
            for job in prepared { runAlone(job, in: journal) }
        }
        if journal.hasRemovedSecrets { planEmptying(logEmptying.want()) }
    }

    private func planEmptying(_ wait: Duration?) {
        guard let wait else { return }
        executor.queue.asyncAfter(deadline: .now() + .milliseconds(Int(wait.milliseconds))) { [weak self] in
            self?.assumeIsolated { $0.emptyLog() }
        }
    }

    private func emptyLog() {
        guard let journal else { return }
        planEmptying(logEmptying.attempt(journal.emptyWriteAheadLog))
    }

    private func runAlone(_ job: StorageJob, in journal: Journal) {
        do {
            try journal.connection.transaction { try job.write(journal) }
            conclude(job)
        } catch {
            job.end(error)
        }
    }

    private func conclude(_ job: StorageJob) {
        job.cleanUp()
        job.end(nil)
    }

    private func closeJournal() {
        do {
            _ = try journal?.emptyWriteAheadLog()
        } catch {
            AgentLog.write("the journal's write-ahead log could not be emptied; its changes are safe: \(error)")
        }
        journal = nil
    }
}

/// One job of the storage queue.
struct StorageJob: Sendable {
    /// What must be on the disk before the transaction; when that fails, the job fails alone and its `write` does not run.
    var files: FilesToSync
    /// Changes the journal, inside a transaction that it may share. May run twice, if the shared one is rolled back.
    var write: @Sendable (Journal) throws -> Void
    /// Deletes files after the commit.
    var cleanUp: @Sendable () -> Void
    /// Called at the end, on the storage queue: with `nil` when it is committed.
    var end: @Sendable ((any Error)?) -> Void
}

/// What a job needs to be on the disk before it is recorded.
struct FilesToSync: Sendable {
    static let none = FilesToSync(file: nil, syncsFolder: false)

    /// The staging file to sync.
    var file: StagingFile?
    /// Whether its name must be durable as well.
    var syncsFolder: Bool
    /// A mark file that is no longer needed once the bytes are on the disk.
    var marksPath: String?
}
