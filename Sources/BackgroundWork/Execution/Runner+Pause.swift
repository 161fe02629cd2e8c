import BackgroundWorkModel
import BackgroundWorkStorage

extension Runner {
    /// Claims and starts nothing until ``resume()``, puts back what has not started, and asks running items to stop as
    /// at a shutdown: they are put back, and no attempt is counted. ``untilIdle()`` then returns when nothing runs and
    /// every result is stored.
    func pause() {
        let returned = state.withLock { state -> [ClaimedWork] in
            guard !state.isPaused, !state.isStopping else { return [] }
            state.isPaused = true
            state.loops.stopAll(because: .shutdown)
            let returned = state.queue.remove { _ in true }
            if !returned.isEmpty { unsettled.add(1, ordering: .sequentiallyConsistent) }
            return returned
        }
        giveBack(returned)
    }

    /// Ends a pause.
    func resume() {
        let wasPaused = state.withLock { state in
            defer { state.isPaused = false }
            return state.isPaused
        }
        if wasPaused { wake() }
    }

    /// Asks these items to stop if they run; others go on.
    func stop(_ ids: Set<String>, because reason: StopReason) {
        state.withLock { state in
            for run in state.loops.runs where ids.contains(run.work.record.id) {
                state.loops.stop(run.loop, because: reason)
            }
        }
    }

    /// Whether it claims nothing any more, for good.
    var isStopping: Bool { state.withLock { $0.isStopping } }
}
