import BackgroundWorkModel
import BackgroundWorkStorage

extension Runner {
    /// Why it is paused.
    enum Pause: Sendable, Hashable {
        /// The time that the system has given for due work is over.
        case windowIsOver
        /// The process may be suspended.
        case suspension
    }

    /// Claims and starts nothing until every pause is over, puts back what has not started, and asks running items to
    /// stop as at a shutdown: they are put back, and no attempt is counted. ``untilIdle()`` then returns when nothing runs
    /// and every result is stored.
    ///
    /// Returns whether there were any items.
    @discardableResult
    func pause(_ pause: Pause) -> Bool {
        let (returned, hadWork) = state.withLock { state -> ([ClaimedWork], Bool) in
            guard !state.isStopping else { return ([], false) }
            state.pauses.insert(pause)
            let hadWork = state.held > 0
            state.loops.stopAll(because: .shutdown)
            let returned = state.queue.remove { _ in true }
            if !returned.isEmpty { unsettled.add(1, ordering: .sequentiallyConsistent) }
            return (returned, hadWork)
        }
        giveBack(returned)
        return hadWork
    }

    /// Ends a pause.
    func resume(_ pause: Pause) {
        let goesOn = state.withLock { state in state.pauses.remove(pause) != nil && !state.isPaused }
        if goesOn { wake() }
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
