import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkStorage

extension WorkScheduler {
    /// Takes back the work of dead processes, processes what the daemon has finished meanwhile, and runs what is due.
    ///
    /// Call it once, after ``sweepStaleStateOnLaunch(olderThan:)``. Throws the database's and the file system's
    /// errors; it may be called again then. After it has succeeded further calls do nothing.
    public func start() async throws {
        guard lifecycle.start() else { return }
        do {
            try await begin()
            lifecycle.started()
        } catch {
            lifecycle.startFailed()
            throw error
        }
    }

    private func begin() async throws {
        store.prepareToRead()
        let held = try await clockGuard.check(registering: ownership)
        let reclaimed = try await ownership.reclaim()
        if reclaimed != .init() {
            notices.add(
                .workReclaimed,
                "A process ended while its work ran. Of its items, \(reclaimed.requeued) run again, \(reclaimed.failed) "
                    + "failed, and \(reclaimed.interruptedMoves) interrupted file moves are resumed")
        }
        try await transfers?.start()
        await peers.start()
        await partialFiles.begin()
        followers.add(Task { [clockGuard] in await clockGuard.follow() })
        await fileTriggers.refresh()
        runner.start(owner: held.id, notes: held.notes)
        configuration.idleActivity?.start(runner)
        wakes?.workChanged()
        if let launches { launches.dispatch.add(launches.window) }
    }

    /// Drops entries of `bg_url_session_state.json` that are older than the limit and whose transfer is unknown to
    /// the daemon. Their work finishes as failed, with an event, so that nothing waits forever.
    ///
    /// Call it at launch before ``start()``. If the daemon cannot be reached, everything stays, and the report says
    /// so. Throws the database's and the file system's errors.
    public func sweepStaleStateOnLaunch(olderThan maximumAge: Duration = .seconds(7 * 86_400)) async throws
        -> SweepReport
    {
        let sweep = StaleStateSweep(
            store: store, stateStore: stateStore, service: transferService, clock: configuration.clock)
        var report = try await sweep.run(maximumAge: maximumAge)
        report.filesSetAside = notices.newest.filter { $0.kind == .fileSetAside }.map(\.message)
        return report
    }

    /// Stops claiming work, gives running work `gracePeriod` to end, and puts back what did not end: it runs again in
    /// the next process, and no attempt is counted. Transfers continue with the daemon. All event streams end.
    ///
    /// The grace period covers the whole shutdown, in real time; a daemon that hangs does not prolong it. The
    /// shutdown does not need Swift's cooperative pool, so workers that block the pool's threads do not delay it; its
    /// caller may need the pool.
    public func shutdown(gracePeriod: Duration = .seconds(10)) async {
        await withCheckedContinuation { continuation in
            shutDown(gracePeriod: gracePeriod) { continuation.resume() }
        }
    }

    /// Waits for SIGTERM or SIGINT, or for the task's cancellation, and then shuts down. Several schedulers may wait.
    ///
    /// The two signals no longer end the process by themselves once this has been called; return from `main` after
    /// it. It resumes on the caller's executor, the main actor for example. A caller on the cooperative pool may find
    /// all of its threads blocked by workers: when it has not resumed a second after the shutdown, the process is
    /// ended with status 0.
    public func runUntilTerminated(
        gracePeriod: Duration = .seconds(10), isolation: isolated (any Actor)? = #isolation
    ) async {
        let hasGoneOn = WentOn()
        let signals = TerminationSignals.Subscription()
        await withTaskCancellationHandler(
            operation: {
                await withCheckedContinuation(isolation: isolation) { continuation in
                    // Not in this task: it may get no thread to continue on.
                    signals.wait { signal in
                        self.shutDown(gracePeriod: gracePeriod) {
                            if signal != nil { hasGoneOn.orElseExit() }
                            continuation.resume()
                        }
                    }
                }
            }, onCancel: signals.cancel, isolation: isolation)
        hasGoneOn.confirm()
    }

    private func shutDown(gracePeriod: Duration, ended: @escaping @Sendable () -> Void) {
        guard lifecycle.shutDown(ended: ended) == .first else { return }
        let sequence = ShutdownSequence(scheduler: self, gracePeriod: gracePeriod)
        WentOn.shutdownBegins()
        let lifecycle = lifecycle
        let run: @Sendable () -> Void = {
            sequence.run()
            WentOn.shutdownEnds()
            lifecycle.hasShutDown()
        }
        // If no thread can be started, the caller's is used.
        if !SystemThread.start(run) { run() }
    }
}
