import BackgroundWorkModel

/// What happens to work when the system ends the time that it was given to go on. This is also what the user's cancel
/// in the system's interface does, and the system does not tell one from the other.
public enum ContinuedExpiration: Sendable, Hashable {
    /// It is cancelled, as by ``WorkScheduler/cancel(id:)``: right when the user expects the cancel to count.
    case cancelWork
    /// It stops with ``StopReason/expired``, is put back, and goes on later: right when the work must be done, even if
    /// the system had no more time for it.
    case keepWork
}

/// What happens to a request when the system has no room for another task.
public enum ContinuedAdmission: Sendable, Hashable {
    /// The request waits. The work runs meanwhile, as long as the app does.
    case wait
    /// ``ContinuedRunError/refused(_:advice:)`` is thrown.
    case fail
}

extension WorkScheduler {
    /// For how long an expired run waits for its work to stop.
    private static let longestCleanUp = Duration.seconds(3)

    /// Has the system show work that a user has started, with its progress, and let it go on when the user leaves the
    /// app: on iOS from version 26 on as a continued processing task, on a Mac as an activity that keeps the app from
    /// App Nap and the Mac from idle sleep.
    ///
    /// The work is enqueued before, and runs whether or not this succeeds. Call this in the foreground, right after the
    /// user has asked for the work: the system refuses it otherwise. Its workers have to report their progress
    /// (``WorkerContext/report(_:)``) every few seconds, or the system ends the run.
    ///
    /// ```swift
    /// try await scheduler.enqueue(TaskRequest(ExportWorker.self, input: film), id: "export", policy: .keep)
    /// let run = try await scheduler.continueInBackground(
    ///     ids: ["export"], title: "Exporting “\(film.name)”", onExpiration: .keepWork)
    /// if await run.end == .finished(success: true) { show(film) }
    /// ```
    ///
    /// - Parameters:
    ///   - ids: of work or of chains. What has ended counts as done; if all of it has, so has the run.
    ///   - title: for the user, localized.
    ///   - subtitle: for the user, localized. `nil`: the newest message of the work's progress.
    ///   - onExpiration: what the user's cancel, or the end of the system's time, does to the work.
    ///   - whenBusy: what happens when the system has no room now.
    /// - Throws: ``ContinuedRunError``, and the database's error. A refusal of the system is also a notice.
    @discardableResult
    public func continueInBackground(
        ids: Set<String>, title: String, subtitle: String? = nil, onExpiration: ContinuedExpiration,
        whenBusy: ContinuedAdmission = .wait
    ) async throws -> ContinuedRun {
        guard let continued else {
            throw ContinuedRunError.unsupported(
                reason: "it takes iOS 26 or macOS, and a backgroundTaskIdentifier in the configuration")
        }
        let members = try await members(of: ids)
        let run = ContinuedRun(
            identifier: "\(continued.prefix).continued.\(ContinuedRun.nextNumber)", title: title, subtitle: subtitle)
        let watches = members.map { changes.watch($0, signal: run.signal) }
        do {
            let standing = try await standing(of: members)
            run.show(standing)
            let request = ContinuedRequest(
                identifier: run.identifier, title: title, subtitle: subtitle ?? standing.message ?? "",
                mayWait: whenBusy == .wait)
            if !standing.isOver { try await begin(request, of: run, continued) }
        } catch {
            for watch in watches { changes.end(watch) }
            throw error
        }
        Task {
            await follow(run, members, of: ids, onExpiration)
            if !run.isLaunched { await continued.tasks.cancel(run.identifier) }
            for watch in watches { changes.end(watch) }
        }
        return run
    }

    /// As ``continueInBackground(ids:title:subtitle:onExpiration:whenBusy:)``, for the work that has a tag and has not
    /// ended. Work that gets the tag later is not part of it.
    @discardableResult
    public func continueInBackground(
        tag: String, title: String, subtitle: String? = nil, onExpiration: ContinuedExpiration,
        whenBusy: ContinuedAdmission = .wait
    ) async throws -> ContinuedRun {
        let unfinished = Set(WorkState.allCases.filter { !$0.isFinished })
        let infos = try await infos(matching: WorkQuery(tags: [tag], states: unfinished, limit: .max))
        return try await continueInBackground(
            ids: Set(infos.map(\.id)), title: title, subtitle: subtitle, onExpiration: onExpiration,
            whenBusy: whenBusy)
    }

    private func begin(_ request: ContinuedRequest, of run: ContinuedRun, _ continued: ContinuedServices) async throws {
        do throws(LaunchRequestError) {
            // The system keeps this for as long as the process runs.
            try await continued.tasks.begin(request) { [weak window = launches?.window] task in
                if run.launched(task) { window?.taskBegan() }
            }
        } catch {
            let refusal = ContinuedRunError(error, prefix: continued.prefix)
            notices.add(.launchNotRequested, refusal.description)
            throw refusal
        }
    }

    /// The work of which the ids are, or of whose chains.
    private func members(of ids: Set<String>) async throws -> Set<String> {
        if ids.isEmpty { return [] }
        var infos = try await infos(matching: WorkQuery(ids: ids, limit: ids.count))
        var unknown: [String] = []
        for id in ids.subtracting(infos.map(\.id)).sorted() {
            let chain = try await self.infos(chainID: id)
            if chain.isEmpty { unknown.append(id) }
            infos += chain
        }
        if !unknown.isEmpty { throw ContinuedRunError.unknownWork(ids: unknown) }
        if let recurring = infos.first(where: { $0.trigger?.recurs ?? false && !$0.state.isFinished }) {
            throw ContinuedRunError.recurringWork(id: recurring.id)
        }
        return Set(infos.map(\.id))
    }

    private func standing(of members: Set<String>) async throws -> ContinuedStanding {
        if members.isEmpty { return ContinuedStanding([], of: 0) }
        return ContinuedStanding(
            try await infos(matching: WorkQuery(ids: members, limit: members.count)), of: members.count)
    }

    /// Returns when the run has ended.
    private func follow(
        _ run: ContinuedRun, _ members: Set<String>, of ids: Set<String>, _ onExpiration: ContinuedExpiration
    ) async {
        while true {
            if lifecycle.isShutDown { return end(run, .shutDown) }
            if run.hasExpired {
                await stop(run, members, of: ids, onExpiration)
                return end(run, .expired)
            }
            // What could not be read is read at the next change.
            if let standing = try? await standing(of: members) {
                run.show(standing)
                if standing.isOver { return end(run, .finished(success: standing.isSuccess)) }
            }
            await run.signal.wait()
        }
    }

    private func end(_ run: ContinuedRun, _ end: ContinuedRun.End) {
        run.finish(end)
        if run.isLaunched { launches?.window.continuedTaskEnded() }
    }

    /// Returns when the work has stopped, or after ``longestCleanUp``.
    private func stop(
        _ run: ContinuedRun, _ members: Set<String>, of ids: Set<String>, _ onExpiration: ContinuedExpiration
    ) async {
        switch onExpiration {
        case .cancelWork:
            for id in ids.sorted() {
                do { try await cancel(id: id) } catch {
                    notices.add(.storageFailure, "\(id), which the user or the system has ended, goes on: \(error)")
                }
            }
        case .keepWork:
            let clock = configuration.clock
            let end = clock.uptime + Self.longestCleanUp
            let alarm = Task {
                try? await clock.sleep(untilUptime: end)
                run.signal.raise()
            }
            runner.stop(members, because: .expired)
            while clock.uptime < end, !lifecycle.isShutDown, (try? await standing(of: members))?.isRunning ?? false {
                await run.signal.wait()
            }
            alarm.cancel()
        }
    }
}
