import BackgroundWorkModel
import BackgroundWorkStorage
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
}

extension Runner {
    /// What a runner is made of. A class, since each run refers to it.
    final class Parts: Sendable {
        let store: WorkStore
        let execution: WorkExecution
        let slots: Int
        let limits: WorkLimits
        let triggers: TriggerCheck
        let clock: any WorkClock
        let random: @Sendable () -> Double
        let device: any DeviceStateReader
        let progress: WorkProgressPublisher
        let telemetry: TelemetryRelay?
        let notices: NoticeLog

        init(
            store: WorkStore, execution: WorkExecution, slots: Int, limits: WorkLimits, triggers: TriggerCheck,
            clock: any WorkClock, random: @escaping @Sendable () -> Double, device: any DeviceStateReader,
            progress: WorkProgressPublisher, telemetry: TelemetryRelay?, notices: NoticeLog
        ) {
            self.store = store
            self.execution = execution
            self.slots = slots
            self.limits = limits
            self.triggers = triggers
            self.clock = clock
            self.random = random
            self.device = device
            self.progress = progress
            self.telemetry = telemetry
            self.notices = notices
        }
    }
}
