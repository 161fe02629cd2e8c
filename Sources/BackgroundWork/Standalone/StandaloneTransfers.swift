import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkTransfers

/// What a ``Downloader`` and an ``Uploader`` have in common: begins transfers under their callers' identifiers, or
/// attaches to those that have begun, and returns their ends to the waiting callers.
///
/// The record comes first and goes last; Docs/standalone-transfers.md has the table of what a death in between leaves.
actor StandaloneTransfers {
    /// Checks the disk, and hands the transfer to the daemon; returns its end if there is nothing to transfer.
    typealias Begin = @Sendable (TransferHandOff, TransferKey) async throws -> StandaloneEnd?

    /// Those that wait for a transfer, and how it is begun.
    struct Callers {
        var begin: Begin
        var waiting: [Int: CheckedContinuation<StandaloneEnd, any Error>] = [:]
    }

    /// The end was returned to another caller between two steps.
    struct TakenByAnother: Error {}

    let store: StandaloneStore
    nonisolated let stateStore: TransferStateStore
    nonisolated let service: any TransferService
    nonisolated let handOff: TransferHandOff
    let completion: TransferCompletion
    nonisolated let intake: OutcomeIntake
    nonisolated let notices: NoticeLog
    nonisolated let sessions: SessionEvents
    /// `nil` where the system does not end processes for their locks.
    let suspension: SuspensionGuard?
    var callers: [TransferKey: Callers] = [:]
    var nextCaller = 0
    /// What needs no hand-off: the daemon has started it.
    var started: Set<TransferKey> = []
    var beginning: Set<TransferKey> = []
    var epoch: String?
    var opening: Task<Void, Never>?
    var isReady = false
    var isShutDown = false
    var unreachable: (any Error)?
    var waitingForStart: [CheckedContinuation<Void, any Error>] = []

    /// Opens the directory's record. Blocks the calling thread while files are opened. Throws ``ConfigurationError``
    /// and ``FileError``, and ``UnsupportedTransfersError`` where there is no daemon.
    init(_ configuration: StandaloneTransferConfiguration) throws {
        let clock = configuration.clock
        let folder = try ConfigurationError.opening { try StandaloneFolder(configuration) }
        let notices = NoticeLog(clock: clock, handler: configuration.noticeHandler)
        DirectoryAttributes.set(on: folder.path, isExcludedFromBackup: configuration.isExcludedFromBackup) {
            notices.add(.attributesNotSet, $0)
        }
        let store = try ConfigurationError.opening { try StandaloneStore(folder: folder, clock: clock) }
        if let setAside = store.setAside {
            notices.add(
                .fileSetAside,
                "The record of \(folder.path) could not be read; it was kept as \(setAside), and a new one begun")
        }
        let folders = try BaseFolders(directory: folder.path, clock: clock, report: notices.reportSetAside)
            .record(configuration.baseFolders)
        let stateStore = TransferStateStore(
            directory: folder.path, folders: folders, clock: clock, report: notices.reportSetAside)
        let service = try Self.service(
            configuration, directory: folder.path, store: store.identity, stateStore: stateStore, folders: folders,
            notices: notices)
        let completion = TransferCompletion(
            ledger: store, stateStore: stateStore, service: service, folders: folders, clock: clock)
        handOff = TransferHandOff(
            service: service, stateStore: stateStore, store: store.identity,
            sessionIdentifier: configuration.sessionIdentifier, securityPolicy: configuration.securityPolicy,
            session: configuration.sessionOptions, folders: folders, clock: clock, environment: ProxyVariables.ofProcess
        )
        intake = OutcomeIntake(completion: completion, clock: clock, notices: notices)
        let queues = [store.executor.holdable, stateStore.writerQueue] + service.lockingQueues
        suspension = folder.activities.map {
            SuspensionGuard(activities: $0, locks: QueuedLocks(queues: queues), clock: clock)
        }
        suspension?.start()
        self.store = store
        self.stateStore = stateStore
        self.service = service
        self.completion = completion
        self.notices = notices
        sessions = SessionEvents { await stateStore.finishRemovals() }
    }

    private static func service(
        _ configuration: StandaloneTransferConfiguration, directory: String, store: String,
        stateStore: TransferStateStore, folders: FolderMoves, notices: NoticeLog
    ) throws -> any TransferService {
        if let service = configuration.transferService { return service }
        let context = TransferServiceContext(
            directory: directory, store: store, session: configuration.sessionOptions, folders: folders,
            clock: configuration.clock, stateStore: stateStore, report: { notices.add(.daemonUnreachable, $0) })
        if let service = configuration.makeTransferService?(context) { return service }
        let platform = PlatformServices(
            for: PlatformServices.Client(
                context: context, agentExecutable: configuration.agentExecutable,
                launchCommand: configuration.launchCommand, limits: configuration.transferLimits, notices: notices))
        guard let service = platform.transfers else { throw UnsupportedTransfersError() }
        return service
    }

    // MARK: - Waiting for an end

    /// The end of the transfer with this identifier, begun by this call if there is none.
    ///
    /// Several callers may wait for one; each gets its end, and no later caller does. A caller that is cancelled leaves:
    /// the transfer continues, and its end is kept for the next one.
    func end(of request: StandaloneRequest, as identifier: String, begin: @escaping Begin) async throws -> StandaloneEnd
    {
        guard identifier.contains(where: { !$0.isWhitespace }), !identifier.utf8.contains(0),
            identifier.utf8.count <= RequestRules.maximumIDBytes
        else {
            throw StandaloneTransferError.badIdentifier(identifier)
        }
        let request = try request.stored()
        let text = try request.text()
        while true {
            try Task.checkCancellation()
            do {
                try await waitUntilReady()
            } catch {
                // An end that is recorded can be returned without the daemon.
                guard case .ended = try await store.record(identifier)?.state else { throw error }
            }
            let record = try await store.begin(identifier, request: text)
            guard try record.request == text || StandaloneRequest(record.request).moved(by: handOff.folders) == request
            else { throw StandaloneTransferError.identifierInUse(identifier) }
            do {
                return try await end(of: record.key, begin: begin)
            } catch is TakenByAnother {
                // It came too late for that one, so it is the first of the next.
                continue
            }
        }
    }

    func end(of key: TransferKey, begin: @escaping Begin) async throws -> StandaloneEnd {
        nextCaller += 1
        let caller = nextCaller
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard !Task.isCancelled, !isShutDown else {
                    return continuation.resume(
                        throwing: isShutDown ? StandaloneTransferError.shutDown : CancellationError())
                }
                callers[key, default: Callers(begin: begin)].waiting[caller] = continuation
                Task { await self.pursue(key) }
            }
        } onCancel: {
            Task { await self.leave(key, caller) }
        }
    }

    private func leave(_ key: TransferKey, _ caller: Int) {
        let continuation = callers[key]?.waiting.removeValue(forKey: caller)
        if callers[key]?.waiting.isEmpty == true { callers[key] = nil }
        continuation?.resume(throwing: CancellationError())
    }

    /// Returns the end if there is one, and begins what has not begun.
    func pursue(_ key: TransferKey) async {
        await deliverEnd(of: key)
        guard let begin = callers[key]?.begin, !started.contains(key), beginning.insert(key).inserted else { return }
        defer { beginning.remove(key) }
        do {
            guard try await store.record(key)?.state == .active else { return await deliverEnd(of: key) }
            // What an entry describes was not started, or no longer exists.
            let reference = TransferReference(store: store.identity, key: key)
            try await removeEntries { $0.reference == reference }
            if let end = try await begin(handOff, key) {
                try await store.end(key, end)
                return await deliverEnd(of: key)
            }
            started.insert(key)
            // A cancellation that came meanwhile has not met a transfer to cancel.
            if try await store.record(key) == nil { await forget(key) }
        } catch {
            let waiting = callers.removeValue(forKey: key)?.waiting.values.map { $0 } ?? []
            // No transfer was begun, so the identifier is free again. If the daemon cannot be reached now, it gets the
            // cancellation with the next connection.
            if (try? await store.removeActive(key)) == true { await forget(key) }
            for caller in waiting { caller.resume(throwing: error) }
        }
    }

    /// Returns the end of a transfer that has ended to the waiting callers, and removes its record.
    func deliverEnd(of key: TransferKey) async {
        guard callers[key] != nil else { return }
        do {
            guard let record = try await store.record(key) else {
                return resume(key, with: .failure(TakenByAnother()))
            }
            guard case .ended(let end) = record.state, let ended = callers.removeValue(forKey: key) else { return }
            let result: Result<StandaloneEnd, any Error>
            do {
                // Before the callers get it, so that no end is delivered twice.
                try await store.removeEnded(key)
                result = .success(end)
            } catch {
                result = .failure(error)
            }
            started.remove(key)
            for caller in ended.waiting.values { caller.resume(with: result) }
        } catch {
            resume(key, with: .failure(error))
        }
    }

    func resume(_ key: TransferKey, with result: Result<StandaloneEnd, any Error>) {
        for caller in callers.removeValue(forKey: key)?.waiting.values.map({ $0 }) ?? [] { caller.resume(with: result) }
    }

    // MARK: - Starting

    /// Continues what another process has left. Called ahead of the first request, so that files arrive without one.
    func start() { try? open() }

    /// Returns when it is known which transfers the daemon has. Throws when it cannot be reached.
    private func waitUntilReady() async throws {
        if unreachable != nil, !isReady {
            // It may be there by now, and else says again why not.
            _ = try await service.transfers()
            if let unreachable { throw unreachable }
        }
        try open()
        if isReady { return }
        try await withCheckedThrowingContinuation { waitingForStart.append($0) }
    }

    /// Resumes interrupted moves, and connects if the daemon may have something to report.
    func open() throws {
        if isShutDown { throw StandaloneTransferError.shutDown }
        if opening == nil { opening = Task { await self.recover() } }
    }

    private func recover() async {
        do {
            let records = try await store.records()
            for record in records {
                guard case .finishing(let move) = record.state else { continue }
                try await completion.resume(
                    move, of: TransferReference(store: store.identity, key: record.key))
                await deliverEnd(of: record.key)
            }
            let entries = try await stateStore.loadEntries()
            // A transfer that has ended may not have been acknowledged; the daemon delivers its outcome again then.
            let mustConnect = !entries.isEmpty || !records.isEmpty
            if !mustConnect { becomeReady() }
            await service.receive(with: self, immediately: mustConnect)
            becomeReady()
        } catch {
            // The next request tries again.
            opening = nil
            sessions.known()
            resumeStart(with: .failure(error))
            for key in callers.keys { resume(key, with: .failure(error)) }
        }
    }

    func becomeReady() {
        isReady = true
        sessions.known()
        resumeStart(with: .success(()))
    }

    func resumeStart(with result: Result<Void, any Error>) {
        let waiting = waitingForStart
        waitingForStart = []
        for continuation in waiting { continuation.resume(with: result) }
    }
}
