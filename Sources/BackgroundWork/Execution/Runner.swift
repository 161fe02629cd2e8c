import BackgroundWorkModel
import BackgroundWorkStorage
import Dispatch
import Synchronization

/// Runs what the commits claim for it, at most `slots` items at a time.
///
/// It has no picture of the database of its own. Each transaction of the store asks it how much it can take
/// (``claimRules()``), and each commit tells it, in order, what it got and what it must stop (``committed(_:)``). Both
/// happen on the writer's queue, so there is one order of claims, cancellations, pauses and the news of other schedulers,
/// and the runner obeys it. A slot is free again when its worker returns; the result goes into the next commit, and
/// nobody waits for it.
final class Runner: WorkClaimer, Sendable {

    /// One item that runs.
    struct Run: Sendable {
        var work: ClaimedWork
        var services: RunServices
        var loop: Int
        /// Where its begin is noted.
        var cell: Int?
    }

    struct State: Sendable {
        var owner: Int64?
        var notes: RunNotes?
        var isStopping = false
        /// What still runs goes on unheard.
        var isAbandoned = false
        var queue = RunQueue()
        var loops = RunLoops()
        var cells = RunCells()
        /// Runs alone.
        var suspect: RunKey?
        /// Looks for work that are under way; more than one never waits.
        var isLooking = false
        var looksAgain = false
        var pace = RunPace()
        var limits = RunLimits()
        /// How many runs had ended when it was asked last how many are about to.
        var endsWhenAsked = 0
        var starvation = StarvationGuard()
        var begunCount = 0
        var isWatchingStall = false
        var timer: (at: WallTime, task: Task<Void, Never>)?
        var device = RunnerDevice()
        var whenQuiet: [CheckedContinuation<Void, Never>] = []
        var whenStopped: [@Sendable () -> Void] = []

        /// What has been claimed and not come back.
        var held: Int { loops.count + queue.count }
    }

    /// "Any number" stands for this many, so that sums of numbers of items never overflow.
    static let mostSlots = Int(Int32.max)
    /// The most that one transaction claims, so that none takes long.
    private static let largestClaim = 4096
    /// The longest wait without a look, so that no mistake about the time lasts longer.
    private static let longestWait = Duration.seconds(86_400)
    /// How long what was claimed ahead may wait while nothing begins, before others may have it.
    private static let longestStall = Duration.milliseconds(250)

    let parts: Parts
    let state = Mutex(State())
    /// Results, and claims given back, that are not stored yet.
    let unsettled = Atomic(0)

    init(_ parts: Parts) { self.parts = parts }

    // MARK: Beginning and looking

    /// Begins to claim and run work for an owner.
    func start(owner: Int64, notes: RunNotes?) {
        let isFirst = state.withLock { state in
            guard state.owner == nil, !state.isStopping else { return false }
            state.owner = owner
            state.notes = notes
            return true
        }
        guard isFirst else { return }
        parts.store.connect(self)
        wake()
    }

    /// Begins what has waited until the stops of other schedulers were read.
    @Sendable func beginWaiting() { launch(state.withLock { begin(&$0) }) }

    /// There may be due work. Costs next to nothing when a look is under way already.
    func wake() {
        let mustLook = state.withLock { state in
            if state.isLooking {
                state.looksAgain = true
                return false
            }
            state.isLooking = true
            return true
        }
        if mustLook { look() }
    }

    private func look() {
        parts.store.lookForWork { [weak self] error in self?.looked(error) }
    }

    private func looked(_ error: (any Error)?) {
        if let error {
            parts.notices.add(.storageFailure, "No work could be claimed: \(error)")
            setTimer(WallTime(parts.clock.now).advanced(byMs: 1000))
        }
        let mustLook = state.withLock { state in
            state.isLooking = state.looksAgain
            state.looksAgain = false
            return state.isLooking
        }
        if mustLook { look() } else { tellIfQuiet() }
    }

    // MARK: The feed of commits

    /// None if none has ended since this was asked last: then those are slow ones, whatever others were before.
    func runsAboutToEnd() -> Int {
        state.withLock { state in
            guard state.pace.isQuick, state.pace.count != state.endsWhenAsked else { return 0 }
            state.endsWhenAsked = state.pace.count
            return state.loops.count
        }
    }

    /// What may be claimed at the end of the transaction that begins now.
    func claimRules() -> ClaimRules? {
        let rules = state.withLock { state -> ClaimRules? in
            guard let owner = state.owner, !state.isStopping else { return nil }
            // Beside a suspect nothing runs.
            let room =
                state.suspect == nil
                ? max(0, min(parts.slots - state.held + state.pace.ahead(slots: parts.slots), Self.largestClaim)) : 0
            return ClaimRules(
                limit: room, freeSlots: max(0, parts.slots - state.held),
                reservedForOldest: state.starvation.reserved(of: room), isIdle: state.held == 0, owner: owner,
                now: WallTime(milliseconds: 0), device: state.device.known, limits: parts.limits,
                ahead: state.limits.ahead, leaving: Self.leaving(state), random: parts.random)
        }
        guard var rules else { return nil }
        rules.now = WallTime(parts.clock.now)
        return rules
    }

    private static func leaving(_ state: State) -> [LimitKey: Int] {
        if state.limits.permits.isEmpty { return [:] }
        var leaving: [LimitKey: Int] = [:]
        for run in state.loops.runs where run.services.stopReason == .cancelled {
            for key in run.work.limits { leaving[key, default: 0] += 1 }
        }
        return leaving
    }

    /// Obeys a commit: first what it ended, then what it claimed, then what it paused.
    func committed(_ summary: CommitSummary) {
        if summary.claimed.isEmpty, summary.stoppedRuns.isEmpty, summary.heldQueues.isEmpty,
            !summary.isNewsOfOthers, summary.claim == nil, summary.permits == nil, summary.dueAt == nil
        {
            return
        }
        let claims = RunQueue.Claims(summary.claimed)
        let (starts, returned, hasMoreRoom) = state.withLock { state in
            let held = state.queue.count
            for key in summary.stoppedRuns { Self.stop(key, because: .cancelled, &state) }
            if !summary.stoppedRuns.isEmpty {
                let stopped = Set(summary.stoppedRuns)
                _ = state.queue.remove { stopped.contains($0.record.runKey) }
            }
            if let permits = summary.permits { state.limits.permits = permits }
            state.queue.append(claims)
            state.starvation.claimed(claims.count)
            var returned: [ClaimedWork] = []
            if !summary.heldQueues.isEmpty {
                returned = state.queue.remove { summary.heldQueues.contains($0.claimGroup.queue) }
                // What has a slot and has not begun goes back by itself.
                for run in state.loops.runs where summary.heldQueues.contains(run.work.claimGroup.queue) {
                    run.services.revoke()
                }
            }
            if !returned.isEmpty { unsettled.add(1, ordering: .sequentiallyConsistent) }
            let hasMoreRoom = state.queue.count < held + claims.count
            return (begin(&state), returned, hasMoreRoom)
        }
        launch(starts)
        giveBack(returned)
        if let claim = summary.claim {
            watch(claim.missing)
            if let next = claim.nextLook { setTimer(next) }
        }
        if let due = summary.dueAt { setTimer(due) }
        // What was taken out of the queue had its place when the transaction asked for room.
        if hasMoreRoom { wake() }
        watchForStall()
        tellIfQuiet()
    }

    // MARK: Slots

    /// Gives free slots to what waits. The caller launches the loops.
    private func begin(_ state: inout State) -> [Run] {
        var starts: [Run] = []
        while !state.isStopping, state.loops.count < parts.slots, !state.queue.isEmpty {
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
        guard !state.isStopping, let owner = state.owner else { return nil }
        // What other schedulers have cancelled or paused is known in a moment, and then it goes on.
        if let notes = state.notes, notes.hasUnreadStops { return nil }
        guard let work = state.queue.popFirst(within: state.limits) else { return nil }
        state.limits.began(work)
        let key = work.record.runKey
        if work.record.status.isSuspect { state.suspect = key }
        let services = RunServices(
            work: work, owner: owner, parts: parts, notes: state.notes, loopNumber: state.loops[loop].number)
        let run = Run(
            work: work, services: services, loop: loop, cell: state.notes == nil ? nil : state.cells.take())
        state.loops[loop].run = run
        state.begunCount += 1
        // A condition was lost between the claim and now.
        if !state.device.known.unmet(work.claimGroup.constraints).isEmpty { services.askToStop(.constraintLost) }
        return run
    }

    private func launch(_ starts: [Run]) {
        for run in starts {
            let task = Task { await self.runLoop(run) }
            state.withLock { state in
                // The loop may have ended already, and another one have its place.
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
            // Workers that never suspend must not keep a thread of the pool for themselves.
            if count % 32 == 0 { await Task.yield() }
        }
    }

    private nonisolated(nonsending) func execute(_ run: Run) async -> (RunEnding, Duration) {
        let start = parts.clock.uptime
        // Noted first, since from the next line on it may have begun.
        if let cell = run.cell { run.services.notes?.begin(run.work, in: cell) }
        guard run.services.begin() else { return (.stopped(message: run.services.reasonNotToBegin), .zero) }
        parts.telemetry?.began(run.work, now: WallTime(parts.clock.now))
        if run.work.record.options.timeoutMs != nil || run.work.record.options.deadline != nil { setAlarms(run) }
        let ending = await parts.execution.run(run.work, services: run.services)
        return (ending, parts.clock.uptime - start)
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
            // After a shutdown that did not wait for it, the item has been put back.
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
            // What must not run twice is known to have begun until its end is stored.
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

    /// Asks a run to stop. With the lock held, so that the loop's next item is never meant.
    static func stop(_ key: RunKey, because reason: StopReason, _ state: inout State) {
        guard let loop = state.loops.index(of: key) else { return }
        state.loops.stop(loop, because: reason)
    }

    // MARK: Results

    /// Stores how a run ended. A result is never dropped because the disk was full for a while: it is tried again
    /// until it is stored or the scheduler shuts down.
    func runIsStored(_ result: RunResult, _ error: (any Error)?) {
        guard let error else { return settled(result) }
        let failures = result.noteFailure()
        if failures == 1 {
            parts.notices.add(
                .storageFailure, "The result of \(result.work.record.id) could not be stored and is kept: \(error)")
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

    /// Puts what has not begun back into the queue of the database.
    ///
    /// The caller has counted it as unsettled.
    private func giveBack(_ work: [ClaimedWork], failures: Int = 0) {
        guard !work.isEmpty, let owner = state.withLock({ $0.owner }) else { return }
        let now = WallTime(parts.clock.now)
        parts.store.write({ try $0.putBack(work.map(\.record.runKey), owner: owner, hasBegun: false, now: now) }) {
            [self] error in
            guard let error else { return oneIsSettled() }
            if failures == 0 {
                parts.notices.add(
                    .storageFailure, "\(work.count) claimed items could not be given back, and are kept: \(error)")
            }
            again(after: failures, else: { self.oneIsSettled() }) { self.giveBack(work, failures: failures + 1) }
        }
    }

    /// Waits, longer from time to time; not any more once the scheduler shuts down: then all that is owned is given
    /// back at once.
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

    // MARK: Time

    /// Looks for work at an instant, at once if it has come meanwhile.
    private func setTimer(_ instant: WallTime) {
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
    private func watchForStall() {
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

    // MARK: Quiet

    /// What this runner has begun and what it is about to.
    var load: (running: Int, slots: Int) { (state.withLock { $0.held }, parts.slots) }

    /// Looks for work, and returns when nothing runs and nothing more can begin now.
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
                || state.held == 0 && unsettled.load(ordering: .sequentiallyConsistent) == 0 && !state.isLooking
                    && !state.device.isReading
            guard isQuiet, !state.whenQuiet.isEmpty else { return [] }
            defer { state.whenQuiet = [] }
            return state.whenQuiet
        }
        for continuation in waiting { continuation.resume() }
    }
}
