import BackgroundWorkModel
import BackgroundWorkTransfers

extension StandaloneTransfers: TransferReceiver {
    func connected(epoch: String, transfers: [TransferSnapshot]) async {
        sessions.connecting()
        unreachable = nil
        let mine = transfers.filter { $0.reference.store == store.identity && $0.state != .reserved }
        if self.epoch != epoch {
            // Another journal knows nothing of what the one before had.
            started = []
            self.epoch = epoch
        }
        started.formUnion(mine.map(\.reference.key))
        for key in callers.keys where !started.contains(key) { Task { await self.pursue(key) } }
        do { try await reconcile(transfers) } catch {
            notices.add(
                .storageFailure, "What the daemon knows could not be compared with the record of transfers: \(error)")
        }
    }

    /// Cancels what has no row: it was cancelled while the daemon could not be reached, or the record was lost. Removes
    /// the entries that a death before their removal left. The folder is this record's alone, so there is nothing of
    /// others.
    private func reconcile(_ transfers: [TransferSnapshot]) async throws {
        let comparison = Reconciliation(entries: try await stateStore.loadEntries(), transfers: transfers)
        let states = Dictionary(
            try await store.records().map { ($0.key, $0.state) }, uniquingKeysWith: { first, _ in first })
        var settled: [TransferEntry] = []
        for finding in comparison.findings(standing: { standing(of: $0, in: states) }) {
            switch finding {
            case .transferIsUnwanted(let transfer): cancel(transfer.reference)
            case .entryIsSettled(let entry): settled.append(entry)
            // Whoever waits for it begins it again.
            case .transferIsLost: break
            // Nothing is paused here, and nothing looks for the entry of a transfer that the daemon has.
            case .pauseDiffers, .entryIsMissing, .entryCannotBeRebuilt: break
            }
        }
        try await stateStore.remove(settled)
    }

    private func standing(
        of reference: TransferReference?, in states: [TransferKey: StandaloneRecord.State]
    ) -> Reconciliation.Standing {
        guard let reference, reference.store == store.identity, let state = states[reference.key] else {
            return .unknown
        }
        return switch state {
        case .active: .awaited(workerName: "", isHeld: false)
        case .finishing: .inProgress
        case .ended: .settled
        }
    }

    /// Not here: the connection that this would be sent on is just being made.
    private func cancel(_ reference: TransferReference) {
        Task {
            try? await service.cancel(reference)
            try? await removeEntries { $0.reference == reference }
        }
    }

    nonisolated func receive(_ outcome: TransferOutcome) {
        let session = outcome.sessionIdentifier
        let number = sessions.begin(of: session)
        intake.receive(
            outcome, tried: { await self.deliverEnd(of: outcome.reference.key) },
            released: { [sessions] in sessions.end(number, of: session) },
            ended: { [sessions] in sessions.end(number, of: session) })
    }

    nonisolated func receive(_ progress: [TransferProgress]) {}

    func caughtUp() { becomeReady() }

    func unreachable(_ error: any Error) {
        unreachable = error
        notices.addIfNew(.daemonUnreachable, "\(error)")
        resumeStart(with: .failure(error))
        sessions.known()
    }
}

extension StandaloneTransfers: SessionEventOwner {
    nonisolated var sessionIdentifier: String { handOff.sessionIdentifier }
}
