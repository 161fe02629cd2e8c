import BackgroundWorkModel
import BackgroundWorkTransfers

extension StandaloneTransfers: TransferReceiver {
    func connected(epoch: String, transfers: [TransferSnapshot]) async {
        unreachable = nil
        let mine = transfers.filter { $0.reference.store == store.identity && $0.state != .reserved }
        if self.epoch != epoch {
            // Another journal knows nothing of what the one before had.
            started = []
            self.epoch = epoch
        }
        started.formUnion(mine.map(\.reference.key))
        for key in callers.keys where !started.contains(key) { Task { await self.pursue(key) } }
        for snapshot in transfers where snapshot.state != .finished { await cancelIfUnwanted(snapshot.reference) }
        await removeEntriesOfNothing(Set(transfers.map(\.reference)))
    }

    /// Entries of what the daemon does not know, and what has ended or is not on record, are what a death before their
    /// removal left.
    private func removeEntriesOfNothing(_ known: Set<TransferReference>) async {
        do {
            let unfinished = try await store.records().filter { if case .ended = $0.state { false } else { true } }
            let wanted = Set(unfinished.map { TransferReference(store: store.identity, key: $0.key) })
            try await removeEntries { entry in
                entry.reference.map { !known.contains($0) && !wanted.contains($0) } ?? true
            }
        } catch {
            notices.add(.storageFailure, "Entries of transfers that have ended stay for the next connection: \(error)")
        }
    }

    /// What has no row is not wanted: it was cancelled while the daemon could not be told, or the record was lost.
    private func cancelIfUnwanted(_ reference: TransferReference) async {
        do {
            if reference.store == store.identity, try await store.record(reference.key) != nil { return }
        } catch {
            return
        }
        // Not here: the connection that this would be sent on is just being made.
        Task {
            try? await service.cancel(reference)
            try? await removeEntries { $0.reference == reference }
        }
    }

    nonisolated func receive(_ outcome: TransferOutcome) {
        intake.receive(outcome, tried: { await self.tellEnd(of: outcome.reference.key) })
    }

    nonisolated func receive(_ progress: [TransferProgress]) {}

    func caughtUp() { becomeReady() }

    func unreachable(_ error: any Error) {
        unreachable = error
        notices.add(.daemonUnreachable, "\(error)")
        resumeStart(with: .failure(error))
    }
}
