import BackgroundWorkModel
import BackgroundWorkTransfers

extension StandaloneTransfers {
    /// Ends the transfer with this identifier: one in progress, or an end that was not delivered. Whether there was one
    /// in progress; a file that is being moved to its place is waited for.
    func cancel(_ identifier: String) async throws -> Bool {
        try open()
        guard let record = try await store.record(identifier) else { return false }
        if try await store.removeActive(record.key) {
            resume(record.key, with: .failure(StandaloneTransferError.cancelled(identifier)))
            started.remove(record.key)
            await forget(record.key)
            return true
        }
        if case .finishing = record.state {
            do { _ = try await end(of: record.key) { _, _ in nil } } catch is TakenByAnother {}
        } else {
            try await store.removeEnded(record.key)
        }
        return false
    }

    /// Cancels a transfer in the daemon. If it cannot be reached now, it gets the cancellation with the next
    /// connection.
    func forget(_ key: TransferKey) async {
        do {
            let reference = TransferReference(store: store.identity, key: key)
            try await service.cancel(reference)
            try await removeEntries { $0.reference == reference }
        } catch {
            notices.add(
                .daemonUnreachable, "The transfer \(key) was cancelled and could not be removed from it: \(error)")
        }
    }

    func removeEntries(_ areUnwanted: (TransferEntry) -> Bool) async throws {
        try await stateStore.remove(stateStore.loadEntries().filter(areUnwanted))
    }

    /// Waits for files that are being moved to their places, disconnects from the daemon, and releases the directory.
    func shutDown(gracePeriod: Duration) async {
        guard !isShutDown else { return }
        isShutDown = true
        await suspension?.stop()
        await intake.finish(gracePeriod: gracePeriod)
        await service.disconnect()
        await stateStore.finishRemovals()
        sessions.finish()
        for key in callers.keys { resume(key, with: .failure(StandaloneTransferError.shutDown)) }
        resumeStart(with: .failure(StandaloneTransferError.shutDown))
        await store.close()
        suspension?.finish()
    }
}
