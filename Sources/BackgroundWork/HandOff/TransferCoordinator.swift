import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers

/// Keeps the work store, the state file and the daemon in agreement: processes outcomes, sends cancellations, and
/// repairs what a death in between left.
final class TransferCoordinator: TransferReceiver, SessionEventOwner {
    private let store: WorkStore
    let stateStore: TransferStateStore
    let service: any TransferService
    private let completion: TransferCompletion
    private let clock: any WorkClock
    let notices: NoticeLog
    private let reconciler: TransferReconciler
    private let handsOffTransfers: @Sendable (String) -> Bool
    let sessionIdentifier: String
    let progress: TransferProgressPublisher
    let sessions: SessionEvents
    let reconciliations = ReconciliationLog()
    private let outboxDrain = CoalescingGate()
    private let intake: OutcomeIntake

    init(
        store: WorkStore, stateStore: TransferStateStore, service: any TransferService,
        folders: FolderMoves = .none, ledger: SchedulerLedger,
        progress: TransferProgressPublisher, handsOffTransfers: @escaping @Sendable (String) -> Bool,
        sessionIdentifier: String, clock: any WorkClock, notices: NoticeLog
    ) {
        self.sessionIdentifier = sessionIdentifier
        self.store = store
        self.stateStore = stateStore
        self.service = service
        self.clock = clock
        self.notices = notices
        self.progress = progress
        self.handsOffTransfers = handsOffTransfers
        sessions = SessionEvents { await stateStore.finishRemovals() }
        reconciler = TransferReconciler(store: store, stateStore: stateStore, clock: clock)
        completion = TransferCompletion(
            ledger: ledger, stateStore: stateStore, service: service, folders: folders, clock: clock)
        intake = OutcomeIntake(completion: completion, clock: clock, notices: notices)
    }

    /// Resumes interrupted moves, removes entries of finished work, and connects to the daemon, which is started only
    /// if it may have something to report.
    func start() async throws {
        for record in try await store.read({ try $0.records(in: .finishing) }) where record.owner == nil {
            guard let move = record.move else { continue }
            try await completion.resume(
                move, of: TransferReference(store: store.identity, key: record.transferKey))
        }
        let entries = try await stateStore.loadEntries()
        // Entries of work that has finished are what a death between the finish and the removal left.
        record(try await reconciler.run(entries, transfers: nil).report)
        // Every transfer has an entry before it is started, so without one the daemon has nothing to tell; unless the
        // file was lost.
        let isAwaited = entries.isEmpty ? try await isWaitingForTransfers() : true
        await service.receive(with: self, immediately: isAwaited)
        // Without a connection there is nothing that waits.
        sessions.known()
        // Before any worker runs: an item whose outcome is there must not be handed off a second time.
        await intake.waitUntilStandingsAreKnown()
        await drainOutbox()
    }

    func connected(epoch: String, transfers: [TransferSnapshot]) async {
        sessions.connecting()
        progress.connected(transfers.filter { $0.reference.store == store.identity })
        do {
            let known = try await store.read { try $0.meta(MetaKey.agentEpoch) }
            let isJournalNew = known != nil && known != epoch
            let outcome = try await reconciler.run(
                try await stateStore.loadEntries(), transfers: transfers,
                lost: isJournalNew ? .submittedAgain : .reported, epoch: known == epoch ? nil : epoch)
            record(outcome.report)
            renew(outcome.holds)
        } catch {
            notices.add(
                .storageFailure, "What the daemon knows could not be compared with the work that waits for it: \(error)"
            )
        }
    }

    func caughtUp() async { sessions.known() }

    private func record(_ report: TransferReconciliation) {
        guard !report.isEmpty else { return }
        reconciliations.add(report)
        notices.add(.transfersReconciled, "\(report)")
    }

    /// Beside the connection that is being made, not within it: a call that waits for the next connection would keep
    /// this one from ending.
    private func renew(_ holds: [(reference: TransferReference, isHeld: Bool)]) {
        if holds.isEmpty { return }
        Task {
            do {
                for hold in holds { try await service.setPaused(hold.reference, hold.isHeld) }
            } catch {
                notices.add(.daemonUnreachable, "Pauses of transfers wait for the next connection: \(error)")
            }
        }
    }

    func receive(_ outcome: TransferOutcome) {
        let session = outcome.sessionIdentifier
        let number = sessions.begin(of: session)
        intake.receive(
            outcome, released: { [sessions] in sessions.end(number, of: session) },
            ended: { [progress, sessions] in
                progress.remove(session: session, task: outcome.taskIdentifier)
                sessions.end(number, of: session)
            })
    }

    func receive(_ progress: [TransferProgress]) { self.progress.receive(progress) }

    /// Waits for the outcomes that are being processed, for at most `gracePeriod`. What does not end in time is
    /// delivered again to the next process.
    func finishDeliveries(gracePeriod: Duration) async { await intake.finish(gracePeriod: gracePeriod) }

    /// Lets the daemon go.
    func shutDown() async {
        await service.disconnect()
        await stateStore.finishRemovals()
        sessions.finish()
        progress.finish()
    }

    func unreachable(_ error: any Error) async {
        // The service may have reported it when it happened.
        notices.addIfNew(.daemonUnreachable, "\(error)")
        sessions.known()
    }

    /// Sends the cancellations that are due. Those that cannot be sent now stay for the next start.
    /// A call while they are being sent returns at once; what it is about is sent as well.
    func drainOutbox() async { await outboxDrain.run { await self.sendCancellations() } }

    /// Returns when all that was due at the call has been sent, or could not be.
    func drainOutboxToEnd() async { await outboxDrain.runToEnd { await self.sendCancellations() } }

    private func sendCancellations() async {
        do {
            let due = try await store.read { try $0.outbox() }
            if due.isEmpty { return }
            try await service.cancel(due.map { TransferReference(store: store.identity, key: $0.key) })
            try await forget(due)
        } catch is CancellationError {
            // The scheduler shuts down; they wait in the database for the next launch, or the next of its processes.
        } catch {
            notices.add(.daemonUnreachable, "Transfers to be cancelled are still waiting for it: \(error)")
        }
    }

    /// Removes what is left of transfers that the daemon has cancelled: all their entries in one write, and when those
    /// are gone from the disk, their rows in one commit.
    private func forget(_ cancelled: [(sequence: Int64, key: TransferKey)]) async throws {
        let references = Set(cancelled.map { TransferReference(store: store.identity, key: $0.key) })
        let entries = try await stateStore.loadEntries()
            .filter { $0.reference.map(references.contains) ?? false }
        for entry in entries { progress.remove(session: entry.sessionIdentifier, task: entry.taskIdentifier) }
        try await stateStore.remove(entries)
        try await store.write { transaction in
            for (sequence, _) in cancelled { try transaction.removeFromOutbox(sequence) }
        }
    }

    private func isWaitingForTransfers() async throws -> Bool {
        try await store.read { try $0.records(in: .handedOff) }.contains { handsOffTransfers($0.workerName) }
    }
}
