import BackgroundWorkModel
import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension WorkScheduler {
    /// Takes back what a dead process left, takes in what the daemon has finished meanwhile, and runs what is due.
    ///
    /// Call it once, after ``sweepStaleStateOnLaunch(olderThan:)``. Throws the database's and the file system's
    /// errors; further calls do nothing.
    public func start() async throws {
        guard lifecycle.start() else { return }
        let owner = try await ownership.identifier()
        try await clockGuard.check()
        let now = WallTime(configuration.clock.now)
        try await store.write { try $0.prune(now: now) }
        let reclaimed = try await ownership.reclaim()
        if reclaimed != .init() {
            notices.add(
                .workReclaimed,
                "Of a process that died, \(reclaimed.requeued) items run again, \(reclaimed.failed) failed, and "
                    + "\(reclaimed.interruptedMoves) interrupted moves are taken up")
        }
        try await transfers?.start()
        await peers.start()
        followers.add(Task { [clockGuard] in await clockGuard.follow() })
        await fileTriggers.refresh()
        await runner.start(owner: owner)
        wakes?.workChanged()
    }

    /// Drops entries of `bg_url_session_state.json` that are older than the limit and whose transfer the daemon says
    /// it does not know. Their work finishes as failed, with an event, so that nothing waits for ever.
    ///
    /// Call it at launch before ``start()``. An unreachable daemon is no answer: everything stays, and the report says
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

    /// Stops claiming work, gives what runs `gracePeriod` to end, and puts back what did not: it runs again in the
    /// next process, and no attempt is counted. Transfers go on with the daemon. All event streams end.
    public func shutdown(gracePeriod: Duration = .seconds(10)) async {
        guard lifecycle.shutDown() else { return }
        followers.cancelAll()
        fileTriggers.stop()
        await runner.shutDown(gracePeriod: gracePeriod)
        await peers.stop()
        await transfers?.finishDeliveries(gracePeriod: gracePeriod)
        // After the deliveries, which may release work, and while the daemon is still connected.
        await wakes?.tellNow()
        await transfers?.shutDown()
        wakes?.stop()
        events.finish()
        changes.anythingChanged()
        await telemetry?.finish()
        do {
            try await ownership.release()
        } catch {
            // The lock goes with the process; the next one finds the row and removes it.
            notices.add(.storageFailure, "The owner row stays for the next process to remove: \(error)")
        }
        // Store and runner hold each other through the relay; only work that still runs keeps them now.
        relay.disconnect()
    }

    /// Waits for SIGTERM or SIGINT, or for the task's cancellation, and then shuts down.
    ///
    /// The two signals no longer end the process by themselves once this has been called; return from `main` after it.
    public func runUntilTerminated(gracePeriod: Duration = .seconds(10)) async {
        await TerminationSignals.wait()
        await shutdown(gracePeriod: gracePeriod)
    }
}
