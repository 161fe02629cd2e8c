import BackgroundWorkModel
import BackgroundWorkStorage

extension Runner {
    /// Claims and starts nothing more, and asks running items to stop. Returns at once.
    ///
    /// - Parameter stopped: called when nothing runs and every result is stored.
    func stop(stopped: @escaping @Sendable () -> Void) {
        let timer = state.withLock { state in
            state.isStopping = true
            // All owned work is given back when the owner is released.
            _ = state.queue.remove { _ in true }
            state.loops.stopAll(because: .shutdown)
            state.whenStopped.append(stopped)
            state.device.watch?.cancel()
            defer { state.timer = nil }
            return state.timer?.task
        }
        timer?.cancel()
        tellIfQuiet()
        tellIfStopped()
    }

    func tellIfStopped() {
        let waiting = state.withLock { state -> [@Sendable () -> Void] in
            guard state.isStopping, state.loops.count == 0, unsettled.load(ordering: .sequentiallyConsistent) == 0
            else { return [] }
            defer { state.whenStopped = [] }
            return state.whenStopped
        }
        for stopped in waiting { stopped() }
    }

    /// Ignores the results of what still runs; the next process runs those items again. Returns the runs that have
    /// started and whose result is not stored, without those of work that must not run twice whose worker was not called.
    func abandon() -> Set<RunKey> {
        let (begun, alarms) = state.withLock { state in
            let begun = Set(
                state.loops.runs.filter { $0.work.record.isIdempotent || $0.services.isWorkerCalled }
                    .map(\.work.record.runKey))
            let alarms = state.loops.alarms
            state.isAbandoned = true
            state.whenStopped = []
            return (begun, alarms)
        }
        for alarm in alarms { alarm.cancel() }
        tellIfQuiet()
        return begun
    }

    // MARK: Quiet

    /// How many items this runner has claimed, and how many it may run.
    var load: (running: Int, slots: Int) { (state.withLock { $0.held }, parts.slots) }

    /// Makes a claim pass, and returns when nothing runs and nothing more can start now.
    func untilIdle() async {
        wake()
        await withCheckedContinuation { continuation in
            state.withLock { $0.whenQuiet.append(continuation) }
            tellIfQuiet()
        }
    }

    func tellIfQuiet() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            let isQuiet =
                state.owner == nil || state.isStopping
                || state.held == 0 && unsettled.load(ordering: .sequentiallyConsistent) == 0 && !state.isClaiming
                    && !state.device.isReading
            guard isQuiet, !state.whenQuiet.isEmpty else { return [] }
            defer { state.whenQuiet = [] }
            return state.whenQuiet
        }
        for continuation in waiting { continuation.resume() }
    }
}
