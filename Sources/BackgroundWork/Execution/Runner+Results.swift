import BackgroundWorkModel
import BackgroundWorkStorage

extension Runner {
    /// Stores how a run ended. A result is never dropped because the disk was full for a while: the write is retried
    /// until it succeeds or the scheduler shuts down.
    func runIsStored(_ result: RunResult, _ error: (any Error)?) {
        guard let error else { return settled(result) }
        let failures = result.noteFailure()
        if failures == 1 {
            parts.notices.add(
                .storageFailure,
                "The result of \(result.work.record.id) could not be stored; the write is retried: \(error)")
        }
        again(after: failures - 1, else: { self.settled(result) }) { self.parts.store.endRun(result) }
    }

    private func settled(_ result: RunResult) {
        if let cell = result.cell, !result.work.record.isIdempotent { state.withLock { $0.cells.free(cell) } }
        oneIsSettled()
    }

    private func oneIsSettled() {
        guard unsettled.subtract(1, ordering: .sequentiallyConsistent).newValue == 0 else { return }
        tellIfQuiet()
        tellIfStopped()
    }

    /// Puts claimed items that have not started back into the database's queue.
    ///
    /// The caller has counted them as unsettled.
    func giveBack(_ work: [ClaimedWork], failures: Int = 0) {
        guard !work.isEmpty, let owner = state.withLock({ $0.owner }) else { return }
        let now = WallTime(parts.clock.now)
        parts.store.write({ try $0.putBack(work.map(\.record.runKey), owner: owner, hasBegun: false, now: now) }) {
            [self] error in
            guard let error else { return oneIsSettled() }
            if failures == 0 {
                parts.notices.add(
                    .storageFailure, "\(work.count) claimed items could not be given back; this is retried: \(error)")
            }
            again(after: failures, else: { self.oneIsSettled() }) { self.giveBack(work, failures: failures + 1) }
        }
    }

    /// Waits, with a growing delay; stops waiting once the scheduler shuts down: then all owned work is given back at
    /// once.
    private func again(
        after failures: Int, else giveUp: @escaping @Sendable () -> Void, _ body: @escaping @Sendable () -> Void
    ) {
        if state.withLock({ $0.isStopping }) { return giveUp() }
        let clock = parts.clock
        Task {
            do { try await clock.sleep(for: .milliseconds(min(5000, 100 << min(failures, 6)))) } catch {}
            body()
        }
    }
}
