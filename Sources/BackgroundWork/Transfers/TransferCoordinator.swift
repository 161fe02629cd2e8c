import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers

/// Keeps the work store, the state file and the daemon in agreement: takes outcomes in, sends cancellations out, and
/// puts right what a death in between left.
final class TransferCoordinator: TransferReceiver {
    private let store: WorkStore
    private let stateStore: TransferStateStore
    private let service: any TransferService
    private let completion: TransferCompletion
    private let clock: any WorkClock
    private let notices: NoticeLog
    private let outboxDrain = SerialGate()
    private let deliveries = DeliveryTracker()
    /// Outcomes of which it is not known yet where their items stand.
    private let arrivals = DeliveryTracker()

    init(
        store: WorkStore, stateStore: TransferStateStore, service: any TransferService, ledger: SchedulerLedger,
        clock: any WorkClock, notices: NoticeLog
    ) {
        self.store = store
        self.stateStore = stateStore
        self.service = service
        self.clock = clock
        self.notices = notices
        completion = TransferCompletion(ledger: ledger, stateStore: stateStore, service: service)
    }

    /// Takes up interrupted moves, removes entries of finished work, and listens to the daemon, which is started only
    /// if there is something to hear from it.
    func start() async throws {
        for record in try await store.write({ try $0.records(in: .finishing) }) where record.owner == nil {
            guard let move = record.move else { continue }
            try await completion.takeUp(move, key: record.transferKey)
        }
        let entries = try await stateStore.loadEntries()
        try await removeSettled(entries)
        // Every transfer has an entry before it is started, so without one the daemon has nothing to tell.
        await service.receive(with: self, immediately: !entries.isEmpty)
        // Before any worker runs: an item whose outcome is there must not be handed off a second time.
        await arrivals.waitUntilIdle()
        await drainOutbox()
    }

    func connected(epoch: String, transfers: [TransferSnapshot]) async {
        do {
            let known = try await store.write { try $0.meta(MetaKey.agentEpoch) }
            guard known != epoch else { return }
            if known != nil { try await submitLostAgain(known: Set(transfers.map(\.reference))) }
            try await store.write { try $0.setMeta(MetaKey.agentEpoch, epoch) }
        } catch {
            notices.add(.storageFailure, "Transfers that the daemon has lost could not be looked for: \(error)")
        }
    }

    func receive(_ outcome: TransferOutcome) {
        deliveries.begin()
        let arrival = Arrival(tracker: arrivals)
        Task {
            await takeIn(outcome, arrival)
            arrival.end()
            deliveries.end()
        }
    }

    /// Lets what is being taken in come to its end, for at most `gracePeriod`, and then lets the daemon go. What does
    /// not end in time is delivered again to the next process.
    func shutDown(gracePeriod: Duration) async {
        let (deliveries, clock) = (deliveries, clock)
        let alarm = Task {
            do { try await clock.sleep(for: gracePeriod) } catch { return }
            deliveries.letGo()
        }
        await deliveries.waitUntilIdle()
        alarm.cancel()
        await service.disconnect()
    }

    private func takeIn(_ outcome: TransferOutcome, _ arrival: Arrival) async {
        var failures = 0
        while true {
            do {
                try await completion.process(outcome, standingKnown: arrival.end)
                return
            } catch is CancellationError {
                return
            } catch {
                failures += 1
                arrival.end()
                if failures == 1 {
                    notices.add(
                        .deliveryFailure,
                        "The outcome of \(outcome.reference) could not be taken in, and is tried again: \(error)")
                }
                // After some tries it is left to the daemon, which delivers it on the next connection.
                guard failures < 8 else { return }
                do { try await clock.sleep(for: .milliseconds(100 << failures)) } catch { return }
            }
        }
    }

    func unreachable(_ error: any Error) async { notices.add(.daemonUnreachable, "\(error)") }

    /// Sends the cancellations that are due. Those that cannot be sent now stay for the next start.
    func drainOutbox() async {
        await outboxDrain.run {
            do {
                let due = try await self.store.write { try $0.outbox() }
                if due.isEmpty { return }
                var cancelled: [(sequence: Int64, key: TransferKey)] = []
                do {
                    for entry in due {
                        try await self.service.cancel(
                            TransferReference(store: self.store.identity, key: entry.key))
                        cancelled.append(entry)
                    }
                } catch {
                    try await self.forget(cancelled)
                    throw error
                }
                try await self.forget(cancelled)
            } catch {
                self.notices.add(.daemonUnreachable, "Transfers to be cancelled are still waiting for it: \(error)")
            }
        }
    }

    /// Removes what is left of transfers that the daemon has cancelled: all their entries in one write, and when those
    /// are gone from the disk, their rows in one commit.
    private func forget(_ cancelled: [(sequence: Int64, key: TransferKey)]) async throws {
        if cancelled.isEmpty { return }
        let references = Set(cancelled.map { TransferReference(store: store.identity, key: $0.key) })
        let entries = try await stateStore.loadEntries()
        try await stateStore.remove(entries.filter { $0.reference.map(references.contains) ?? false })
        try await store.write { transaction in
            for (sequence, _) in cancelled { try transaction.removeFromOutbox(sequence) }
        }
    }

    /// Entries whose work has finished are what a death between the finish and the removal left.
    private func removeSettled(_ entries: [TransferEntry]) async throws {
        var settled: [TransferEntry] = []
        for entry in entries {
            guard let reference = entry.reference, reference.store == store.identity else { continue }
            let record = try await store.write { try $0.record(id: reference.key.workID) }
            let isSettled = record.map {
                $0.status.state.isFinished || $0.status.generation != reference.key.generation
            }
            if isSettled ?? true { settled.append(entry) }
        }
        try await stateStore.remove(settled)
    }

    /// The daemon's journal was lost: what it does not know any more is handed off again under a new generation.
    private func submitLostAgain(known: Set<TransferReference>) async throws {
        let entries = Dictionary(grouping: try await stateStore.loadEntries(), by: \.reference)
        var lost: [TransferEntry] = []
        for record in try await store.write({ try $0.records(in: .handedOff) }) {
            let reference = TransferReference(store: store.identity, key: record.transferKey)
            guard !known.contains(reference), let found = entries[reference] else { continue }
            let now = WallTime(clock.now)
            _ = try await store.write { transaction in
                try transaction.apply(
                    .handOffLost, to: reference.key,
                    .init(message: "the daemon lost its journal, so the transfer is submitted again"), now: now)
            }
            lost += found
        }
        // Of a generation that is over; what a death before this line leaves is removed at the next start.
        try await stateStore.remove(lost)
    }
}
