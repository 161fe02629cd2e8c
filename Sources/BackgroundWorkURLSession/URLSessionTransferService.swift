import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers
import Synchronization

/// Transfers by URL sessions: on Apple's platforms by background ones, which the system continues while the process is
/// not running.
///
/// What a session does not keep, or keeps for its process only, is in a journal: which transfers are paused, how often
/// they have failed, what has been received and how they ended. Each step is in the journal before the next one is
/// taken, so a process that ends at any point is continued by the next one; Docs/architecture.md lists the points.
package actor URLSessionTransferService: TransferService {
    /// Its tasks' events wait for this queue, which never waits for theirs.
    package nonisolated let executor = DispatchQueueExecutor(label: "BackgroundWork.URLSessions")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let store: String
    let provider: any BackgroundSessionProvider
    nonisolated let options: BackgroundSessionOptions
    let folders: FolderMoves
    let clock: any WorkClock
    let random: @Sendable () -> Double
    let report: @Sendable (String) -> Void
    let resolver: HostResolver
    let folder: String
    let stateStore: TransferStateStore

    var opened: (journal: SessionJournal, staging: StagingArea)?
    var logEmptying = LogEmptying()
    var transfers: [TransferReference: SessionTransfer] = [:]
    /// The numbers that they go by, by session.
    var identifiers: [String: Set<Int64>] = [:]
    var tasks: [TransferReference: any BackgroundSessionTask] = [:]
    /// Sessions whose tasks are known.
    var sessions: [String: Task<any BackgroundSession, Never>] = [:]
    /// Transfers whose task is not listed, and may still report its end, by session.
    var unaccounted: [String: Set<TransferReference>] = [:]
    var backlog = SessionBacklog()
    private nonisolated let replacement = Atomic(false)
    /// Transfers whose task has completed, while that is processed.
    var ending: Set<TransferReference> = []
    /// Why a task that is still to complete has failed already.
    var rejections: [TransferReference: TransferFailure] = [:]
    var answers: [TransferReference: Data] = [:]
    /// Downloads whose file was missing once.
    var fetchedAgain: Set<TransferReference> = []
    var counts: [TransferReference: TransferCount] = [:]
    var timers: [TransferReference: Task<Void, Never>] = [:]
    /// Runs once: the sessions that had transfers when the journal was opened.
    var attaching: Task<Void, Never>?
    var receiver: (any TransferReceiver)?
    var standing = Standing.away
    /// Outcomes that the current receiver has been given.
    var delivered: Set<TransferReference> = []

    /// What the receiver has been told.
    enum Standing { case away, introducing, told }

    /// - Parameters:
    ///   - directory: the scheduler's, absolute.
    ///   - store: the identity of its store.
    ///   - options: what the provider's sessions have been given.
    ///   - random: from 0 to 1, for the jitter of retries.
    ///   - stateStore: the state file of the directory.
    ///   - report: receives messages about what could not be done and is retried.
    ///   - resolver: resolves the hosts of URLs before their tasks are made.
    package init(
        directory: String, store: String, provider: any BackgroundSessionProvider,
        session options: BackgroundSessionOptions = .init(), folders: FolderMoves = .none, clock: any WorkClock,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
        stateStore: TransferStateStore,
        report: @escaping @Sendable (String) -> Void = { _ in }, resolver: HostResolver = .system
    ) {
        folder = directory + "/url_sessions"
        self.store = store
        self.provider = provider
        self.options = options
        self.folders = folders
        self.clock = clock
        self.random = random
        self.stateStore = stateStore
        self.report = report
        self.resolver = resolver
    }

    package init(_ context: TransferServiceContext, provider: any BackgroundSessionProvider) {
        self.init(
            directory: context.directory, store: context.store, provider: provider, session: context.session,
            folders: context.folders, clock: context.clock,
            stateStore: context.stateStore, report: context.report)
    }

    package nonisolated var capabilities: TransferCapabilities {
        .urlSession(with: SessionTLS.features, session: options)
    }

    /// Another service has the sessions' events: this one begins nothing by itself any more.
    nonisolated var isReplaced: Bool { replacement.load(ordering: .acquiring) }

    /// Does not wait for this service, whose events may have to wait for the one that replaces it.
    package nonisolated func replaced() { replacement.store(true, ordering: .releasing) }

    package nonisolated var lockingQueues: [HoldableQueue] { [executor.holdable] }

    var now: WallTime { WallTime(clock.now) }

    // MARK: - What the scheduler asks

    package func reserve(_ specification: TransferSpecification) async throws -> Int64 {
        try await connect()
        if let (field, reason) = capabilities.refusal(of: specification) {
            throw AgentFailure(code: .badRequest, message: "\(field): \(reason).")
        }
        do { try SessionTLS.check(specification.options.tls) } catch let file as UnusableTLSFile {
            throw WorkerInputError(workerClassName: specification.workerName, reason: "\(file)")
        }
        let session = await session(specification.sessionIdentifier)
        guard var known = transfers[specification.reference] else {
            return try await allowed(specification) { try await insert(specification, in: session).identifier }
        }
        // That of a finished one has no secrets.
        if known.specification == specification
            || known.state == .finished && known.specification == specification.withoutSecrets
        {
            return known.identifier
        }
        guard known.state == .reserved else {
            throw AgentFailure(
                code: .conflict,
                message: "Transfer \(specification.reference) is already active with another specification.")
        }
        tasks.removeValue(forKey: specification.reference)?.cancel()
        // It may hold another file's bytes.
        try journal().staging.removeBody(of: specification.reference)
        known.specification = specification
        try await allowed(specification) { try await renew(&known, in: session) }
        // Another call has reserved it differently in the meantime.
        guard known.specification == specification else { return try await reserve(specification) }
        return known.identifier
    }

    package func resume(_ reference: TransferReference) async throws {
        try await connect()
        guard var transfer = transfers[reference] else {
            throw AgentFailure(
                code: .unknownTransfer, message: "Transfer \(reference) was never reserved. Reserve it first.")
        }
        guard transfer.state == .reserved else { return }
        transfer.state = .active
        transfer.startedAt = now
        transfer.requests = 1
        // First, so that a task which runs is known to run; one that is suspended is started by the next process.
        try save(transfer)
        backlog.resumed(in: transfer.session)
        if tasks[reference] == nil {
            // Reserved by an earlier process, whose task the system has lost.
            do {
                try await renew(&transfer, in: session(transfer.session))
            } catch let refused as DestinationCheck.Refused {
                return finish(transfer, .failed(refused.failure))
            }
        }
        start(transfer)
    }

    /// What the security policy forbids is a fault of the input.
    private func allowed<Value>(
        _ specification: TransferSpecification, _ body: () async throws -> Value
    ) async throws -> Value {
        do { return try await body() } catch let refused as DestinationCheck.Refused {
            throw WorkerInputError(workerClassName: specification.workerName, reason: refused.failure.message)
        }
    }

    package func setPaused(_ reference: TransferReference, _ isPaused: Bool) async throws {
        try await connect()
        guard var transfer = transfers[reference], transfer.state != .finished, transfer.isPaused != isPaused else {
            return
        }
        transfer.isPaused = isPaused
        if !isPaused { transfer.nextAttempt = nil }
        try save(transfer)
        guard transfer.state == .active else { return }
        // Its time goes on while it is paused.
        if isPaused { hold(transfer) } else { start(transfer) }
    }

    package func cancel(_ references: [TransferReference]) async throws {
        try await connect()
        try forget(references.filter { transfers[$0] != nil })
    }

    package func acknowledge(_ reference: TransferReference) async throws {
        try await connect()
        if transfers[reference]?.state == .finished { try forget([reference]) }
    }

    package func transfers() async throws -> [TransferSnapshot] {
        try await connect()
        return snapshots
    }

    package func receive(with receiver: any TransferReceiver, immediately: Bool) async {
        self.receiver = receiver
        standing = .away
        delivered = []
        guard immediately else { return }
        do { try await connect() } catch { await receiver.unreachable(error) }
    }

    /// The tasks go on, and what they bring is recorded.
    package func disconnect() {
        receiver = nil
        standing = .away
    }
}

/// How far a task is.
struct TransferCount: Sendable, Hashable {
    var bytes: Int64 = 0
    /// Where its current attempt was when it was first reported.
    var first: Int64?
    /// `nil` while it is unknown.
    var total: Int64?
    /// What the current attempt has moved, as far as it was reported.
    var moved: Int64 { bytes - (first ?? bytes) }
    /// When the receiver was told last.
    var toldAt: Duration?
    /// It is about to be told.
    var isToldSoon = false
}
