import BackgroundWorkModel
import BackgroundWorkStorage

extension Runner {
    /// Gives free slots to waiting items. The caller launches the loops.
    func begin(_ state: inout State) -> [Run] {
        var starts: [Run] = []
        while !state.isStopping, !state.isPaused, state.loops.count < parts.slots, !state.queue.isEmpty {
            let loop = state.loops.open()
            guard let run = next(loop: loop, &state) else {
                state.loops.close(loop)
                break
            }
            starts.append(run)
        }
        return starts
    }

    /// The next item for a loop, registered as running.
    private func next(loop: Int, _ state: inout State) -> Run? {
        guard !state.isStopping, !state.isPaused, let owner = state.owner else { return nil }
        // What other schedulers have cancelled or paused is read in a moment; this is called again then.
        if let notes = state.notes, notes.hasUnreadStops { return nil }
        guard let work = state.queue.popFirst(within: state.limits) else { return nil }
        state.limits.began(work)
        let key = work.record.runKey
        if work.record.status.isSuspect { state.suspect = key }
        let services = RunServices(
            work: work, owner: owner, parts: parts, notes: state.notes,
            cell: state.notes == nil ? nil : state.cells.take(), loopNumber: state.loops[loop].number)
        let run = Run(work: work, services: services, loop: loop)
        state.loops[loop].run = run
        state.begunCount += 1
        // A condition was lost between the claim and now.
        if !state.device.known.unmet(work.claimGroup.constraints).isEmpty { services.askToStop(.constraintLost) }
        return run
    }

    func launch(_ starts: [Run]) {
        for run in starts {
            let task = Task { await self.runLoop(run) }
            state.withLock { state in
                // The loop may have ended already, and another one may use its slot.
                guard state.loops[run.loop].number == run.services.loopNumber else { return }
                state.loops[run.loop].task = task
                if state.loops[run.loop].isCancelled { task.cancel() }
            }
        }
    }

    private nonisolated(nonsending) func runLoop(_ first: Run) async {
        var run = first
        var count = 0
        while true {
            let began = ContinuousClock.now
            let (ending, duration) = await execute(run)
            guard let next = returned(run, ending, duration, after: began.duration(to: .now)) else { return }
            run = next
            count += 1
            // Workers that never suspend must not keep a thread of the pool to themselves.
            if count % 32 == 0 { await Task.yield() }
        }
    }

    private nonisolated(nonsending) func execute(_ run: Run) async -> (RunEnding, Duration) {
        let start = parts.clock.uptime
        if ExitMarks.isExiting || isTooLateToStart(run.work.record) { return (.stopped(message: nil), .zero) }
        // Recorded first, since the worker may start from the next line on.
        if let cell = run.cell { run.services.notes?.begin(run.work, in: cell) }
        guard run.services.begin() else { return (.stopped(message: run.services.reasonNotToBegin), .zero) }
        parts.telemetry?.began(run.work, now: WallTime(parts.clock.now))
        if run.work.record.options.timeoutMs != nil || run.work.record.options.deadline != nil { setAlarms(run) }
        let ending = await parts.execution.run(run.work, services: run.services)
        return (ending, parts.clock.uptime - start)
    }

    /// Work that was claimed ahead may have waited past its deadline or its window. It is put back, and the claim in that
    /// transaction skips it.
    private func isTooLateToStart(_ record: WorkRecord) -> Bool {
        guard record.options.deadline != nil || record.options.latest != nil,
            case .continues(let waiting) = record.status.after(.stopped),
            let limit = record.options.expiry(in: waiting)
        else { return false }
        return limit <= WallTime(parts.clock.now)
    }

    private func setAlarms(_ run: Run) {
        let key = run.work.record.runKey
        let alarms = RunAlarms(for: run.work.record, clock: parts.clock) { [weak self] reason in
            self?.state.withLock { Self.stop(key, because: reason, &$0) }
        }
        let isRunning = state.withLock { state in
            guard state.loops[run.loop].run?.work.record.runKey == key else { return false }
            state.loops[run.loop].alarms = alarms
            return true
        }
        if !isRunning { alarms.cancel() }
    }

    /// Frees the slot, hands the result to the store, and returns what the loop runs next.
    private func returned(_ run: Run, _ ending: RunEnding, _ duration: Duration, after elapsed: Duration) -> Run? {
        let key = run.work.record.runKey
        let now = WallTime(parts.clock.now)
        let (next, alarms, isHeard) = state.withLock { state -> (Run?, RunAlarms?, Bool) in
            // After a shutdown that did not wait for it, the item has already been put back.
            guard !state.isAbandoned else {
                state.loops.close(run.loop)
                return (nil, nil, false)
            }
            let alarms = state.loops[run.loop].alarms
            state.loops[run.loop].run = nil
            state.loops[run.loop].alarms = nil
            state.pace.ran(for: elapsed)
            state.limits.ended(run.work, after: elapsed)
            if state.suspect == key { state.suspect = nil }
            // For work that must not run twice, the record of its start is kept until its result is stored.
            if let cell = run.cell, run.work.record.isIdempotent { state.cells.free(cell) }
            unsettled.add(1, ordering: .sequentiallyConsistent)
            let next = state.loops[run.loop].isCancelled ? nil : self.next(loop: run.loop, &state)
            if next == nil { state.loops.close(run.loop) }
            return (next, alarms, true)
        }
        alarms?.cancel()
        if run.services.hasReported { parts.progress.remove(key) }
        if isHeard {
            parts.store.endRun(
                RunResult(
                    work: run.work, owner: run.services.owner, ending: ending, submissions: run.services.submissions,
                    duration: duration, now: now, random: parts.random, cell: run.cell))
        }
        // The loop ends; another one takes its slot if there is work.
        if next == nil { launch(state.withLock { begin(&$0) }) }
        return next
    }

    /// Asks a run to stop. Called with the lock held, so that it never applies to the loop's next item.
    static func stop(_ key: RunKey, because reason: StopReason, _ state: inout State) {
        guard let loop = state.loops.index(of: key) else { return }
        state.loops.stop(loop, because: reason)
    }
}
