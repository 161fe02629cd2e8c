import BackgroundWorkModel
import BackgroundWorkTransfers

/// Hands transfers to the daemon in the order that a crash at any point forgives: reserve, entry, resume.
struct TransferHandOff: Sendable {
    var service: any TransferService
    var stateStore: TransferStateStore
    var store: String
    var sessionIdentifier: String
    var securityPolicy: SecurityPolicy
    var session = BackgroundSessionOptions()
    var folders = FolderMoves.none
    var clock: any WorkClock
    /// Whether the host has paused the transfer before there was one.
    var isHeld: @Sendable (TransferKey) async throws -> Bool = { _ in false }
    /// Whether nothing waits for the transfer any more: its work has ended, or has another generation now.
    var isSettled: @Sendable (TransferKey) async throws -> Bool = { _ in false }
    /// The host's environment, in which a proxy may be named. Asked for each hand-off.
    var environment: @Sendable () -> [String: String]

    /// When it returns, the daemon has started the transfer, which will outlive this process.
    ///
    /// - Parameter path: the target of a download, which may differ from the input's; the source of an upload.
    func handOff(
        _ transfer: ValidatedTransfer, to path: String, job: TransferJob, key: TransferKey, workerName: String
    ) async throws {
        let reference = TransferReference(store: store, key: key)
        var options =
            service.capabilities.keepsSessionOptions ? transfer.options : session.applied(to: transfer.options)
        options.proxy = try proxy(for: transfer, worker: workerName)
        let specification = TransferSpecification(
            reference: reference, sessionIdentifier: transfer.sessionIdentifier, url: transfer.url, job: job,
            options: options, securityPolicy: securityPolicy, savePath: path, workerName: workerName)
        if let (field, reason) = service.capabilities.refusal(of: specification) {
            throw TransferInputRules(worker: workerName).refusal(field, reason)
        }
        let task = try await reserve(specification)
        let entry = TransferEntry(
            sessionIdentifier: transfer.sessionIdentifier, taskIdentifier: task, savePath: path,
            workerName: workerName, createdAt: WallTime(clock.now), reference: reference)
        do {
            // After the reservation: a pause that comes later than this look finds something to hold.
            if try await isHeld(key) { try await service.setPaused(reference, true) }
            try Task.checkCancellation()
            try await stateStore.put(entry)
            try Task.checkCancellation()
        } catch is CancellationError {
            await Task { await withdraw(entry, reference) }.value
            throw CancellationError()
        }
        do {
            try await service.resume(reference)
        } catch let failure as AgentFailure where failure.code == .unknownTransfer {
            // Its outcome was processed, or it was cancelled, since the reservation; nothing will remove the entry
            // later.
            try await stateStore.remove(session: transfer.sessionIdentifier, task: task)
            throw failure
        }
    }

    /// An earlier process's outcome has ended the work while its worker ran again: what that has reserved since is
    /// nobody's. At a shutdown it stays for the next launch.
    private func withdraw(_ entry: TransferEntry, _ reference: TransferReference) async {
        guard (try? await isSettled(reference.key)) ?? false else { return }
        // What cannot be done now is done at the next connection.
        try? await service.cancel(reference)
        try? await stateStore.remove(session: entry.sessionIdentifier, task: entry.taskIdentifier)
    }

    /// Whether a process that has died has come as far as the entry with this key.
    func hasBegun(_ key: TransferKey) async throws -> Bool {
        let reference = TransferReference(store: store, key: key)
        return try await stateStore.loadEntries().contains { $0.reference == reference }
    }

    private func reserve(_ specification: TransferSpecification) async throws -> Int64 {
        do {
            return try await service.reserve(specification)
        } catch let failure as AgentFailure where failure.code == .conflict {
            // A process that has died reserved it when the environment named another proxy, or the file to be sent was
            // another: what it began is not what is wanted now.
            try await service.cancel(specification.reference)
            for entry in try await stateStore.loadEntries() where entry.reference == specification.reference {
                try await stateStore.remove(session: entry.sessionIdentifier, task: entry.taskIdentifier)
            }
            return try await service.reserve(specification)
        } catch FrameError.oversized(let bytes) {
            throw WorkerInputError(
                workerClassName: specification.workerName,
                reason: "the message that it makes for the daemon has \(bytes) bytes, and may have at most "
                    + "\(FrameCodec.maximumBytes). Shorten its headers, form fields, metadata or mirrors.")
        }
    }

    private func proxy(for transfer: ValidatedTransfer, worker: String) throws -> ProxyChoice {
        do {
            return try ProxyRules.resolved(
                transfer.options.proxy, for: transfer.url, under: securityPolicy, environment: environment)
        } catch {
            throw TransferInputRules(worker: worker).refusal("proxy", error.description)
        }
    }
}
