import BackgroundWorkModel
import BackgroundWorkStorage

extension Runner {
    /// The longest wait without a look, so that no mistake about the time lasts longer.
    private static let longestWait = Duration.seconds(86_400)
    /// How long what was claimed ahead may wait while nothing begins, before others may have it.
    private static let longestStall = Duration.milliseconds(250)

    /// Looks for work at an instant, at once if it has come meanwhile.
    func setTimer(_ instant: WallTime) {
        // In this order: a clock that moves in between makes for a look too early, never for one too late.
        let uptime = parts.clock.uptime
        let now = WallTime(parts.clock.now)
        let (mustSet, isOverdue) = state.withLock { state in
            if state.isStopping || state.owner == nil { return (false, false) }
            guard let timer = state.timer else { return (true, false) }
            // One whose time has come may not have been woken yet, and this one takes its place.
            return (timer.at > instant || timer.at <= now, timer.at <= now)
        }
        guard mustSet else { return }
        guard instant > now else { return wake() }
        let wait = min(.milliseconds(instant.milliseconds - now.milliseconds), Self.longestWait)
        let clock = parts.clock
        // Counted from here, since the task may begin late.
        let deadline = uptime + wait
        let task = Task { [weak self] in
            do { try await clock.sleep(untilUptime: deadline) } catch { return }
            self?.state.withLock { $0.timer = nil }
            self?.wake()
        }
        let old = state.withLock { state in
            defer { state.timer = (instant, task) }
            return state.timer?.task
        }
        old?.cancel()
        if isOverdue { wake() }
    }

    /// What was claimed ahead goes back when nothing begins for a while: a slow item is in the way.
    func watchForStall() {
        let seen = state.withLock { state -> Int? in
            guard !state.queue.isEmpty, !state.isWatchingStall, !state.isStopping else { return nil }
            state.isWatchingStall = true
            return state.begunCount
        }
        guard let seen else { return }
        Task { [weak self] in
            try? await Task.sleep(for: Self.longestStall)
            self?.lookForStall(since: seen)
        }
    }

    private func lookForStall(since seen: Int) {
        let returned = state.withLock { state -> [ClaimedWork] in
            state.isWatchingStall = false
            if state.isStopping { return [] }
            var returned = state.queue.removeStalled()
            state.limits.stalled(returned.flatMap(\.limits))
            if state.begunCount == seen {
                state.pace.stalled()
                returned += state.queue.remove { _ in true }
            }
            if !returned.isEmpty { unsettled.add(1, ordering: .sequentiallyConsistent) }
            return returned
        }
        giveBack(returned)
        watchForStall()
    }
}
