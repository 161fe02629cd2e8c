import BackgroundWorkModel
import BackgroundWorkStorage

extension Runner {
    /// The longest wait between claim passes, which limits how long a wrong time calculation can last.
    private static let longestWait = Duration.seconds(86_400)
    /// How long claimed-ahead items may wait while nothing starts, before they are given back for other schedulers.
    private static let longestStall = Duration.milliseconds(250)

    /// Makes a claim pass at an instant, or at once if it has already passed.
    func setTimer(_ instant: WallTime) {
        // Read in this order: if the clock moves between the two reads, the claim pass comes too early, never too
        // late.
        let uptime = parts.clock.uptime
        let now = WallTime(parts.clock.now)
        let (mustSet, isOverdue) = state.withLock { state in
            if state.isStopping || state.owner == nil { return (false, false) }
            guard let timer = state.timer else { return (true, false) }
            // An overdue timer may not have fired yet, and the new one replaces it.
            return (timer.at > instant || timer.at <= now, timer.at <= now)
        }
        guard mustSet else { return }
        guard instant > now else { return wake() }
        let wait = min(.milliseconds(instant.milliseconds - now.milliseconds), Self.longestWait)
        let clock = parts.clock
        // Computed here, since the task may start late.
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

    /// Gives claimed-ahead items back when nothing starts for a while, because slow items occupy the slots.
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
