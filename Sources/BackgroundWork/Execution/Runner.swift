import BackgroundWorkModel
import BackgroundWorkStorage
import Synchronization

/// Runs what the commits claim for it, at most `slots` items at a time.
///
/// It keeps no copy of the database. Each transaction of the store asks it how much it can take (``claimRules()``),
/// and each commit reports to it, in order, what was claimed for it and what it must stop (``committed(_:)``). Both
/// happen on the writer's queue, so claims, cancellations, pauses and the changes by other schedulers have one order,
/// and the runner applies them in that order. A slot is free again when its worker returns; the result goes into the
/// next commit, and no run waits for that commit.
final class Runner: WorkClaimer, Sendable {

    /// One running item.
    struct Run: Sendable {
        var work: ClaimedWork
        var services: RunServices
        var loop: Int
        /// The cell in which its start is recorded.
        var cell: Int? { services.cell }
    }

    struct State: Sendable {
        var owner: Int64?
        var notes: RunNotes?
        var isStopping = false
        /// Who has paused it: nothing is claimed or started as long as there is one.
        var pauses: Set<Pause> = []
        var isPaused: Bool { !pauses.isEmpty }
        /// The results of what still runs are ignored.
        var isAbandoned = false
        var queue = RunQueue()
        var loops = RunLoops()
        var cells = RunCells()
        /// An item that must run alone.
        var suspect: RunKey?
        /// A claim pass is in progress; at most one more waits.
        var isClaiming = false
        var claimsAgain = false
        var pace = RunPace()
        var limits = RunLimits()
        /// How many runs had ended when `runsAboutToEnd` was called last.
        var endsWhenAsked = 0
        var starvation = StarvationGuard()
        var begunCount = 0
        var isWatchingStall = false
        var timer: (at: WallTime, task: Task<Void, Never>)?
        var device = RunnerDevice()
        var whenQuiet: [CheckedContinuation<Void, Never>] = []
        var whenStopped: [@Sendable () -> Void] = []

        /// How many items are claimed and neither finished nor given back.
        var held: Int { loops.count + queue.count }
    }

    /// Stands for "any number", so that sums of item counts never overflow.
    static let mostSlots = Int(Int32.max)
    /// The most items that one transaction claims, so that no transaction takes long.
    private static let largestClaim = 4096

    let parts: Parts
    let state = Mutex(State())
    /// Results, and claims given back, that are not stored yet.
    let unsettled = Atomic(0)

    init(_ parts: Parts) { self.parts = parts }

    // MARK: Starting and claiming

    /// Starts to claim and run work for an owner.
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

    /// Starts items that waited until the stops by other schedulers were read.
    @Sendable func beginWaiting() { launch(state.withLock { begin(&$0) }) }

    /// There may be due work. Costs almost nothing while a claim pass is in progress.
    func wake() {
        let mustClaim = state.withLock { state in
            if state.isClaiming {
                state.claimsAgain = true
                return false
            }
            state.isClaiming = true
            return true
        }
        if mustClaim { startClaimPass() }
    }

    private func startClaimPass() {
        parts.store.requestClaim { [weak self] error in self?.claimPassEnded(error) }
    }

    private func claimPassEnded(_ error: (any Error)?) {
        if let error {
            parts.notices.add(.storageFailure, "No work could be claimed: \(error)")
            setTimer(WallTime(parts.clock.now).advanced(byMs: 1000))
        }
        let mustClaim = state.withLock { state in
            state.isClaiming = state.claimsAgain
            state.claimsAgain = false
            return state.isClaiming
        }
        if mustClaim { startClaimPass() } else { tellIfQuiet() }
    }

    // MARK: The feed of commits

    /// 0 if no run has ended since the last call: the current runs are slow then, however quick earlier ones were.
    func runsAboutToEnd() -> Int {
        state.withLock { state in
            guard state.pace.isQuick, state.pace.count != state.endsWhenAsked else { return 0 }
            state.endsWhenAsked = state.pace.count
            return state.loops.count
        }
    }

    /// What may be claimed at the end of the transaction that starts now.
    func claimRules() -> ClaimRules? {
        if ExitMarks.isExiting { return nil }
        let rules = state.withLock { state -> ClaimRules? in
            guard let owner = state.owner, !state.isStopping, !state.isPaused else { return nil }
            // While an item runs alone, nothing else may be claimed.
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

    /// Applies a commit: first what it ended, then what it claimed, then what it paused.
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
                // An item that has a slot and has not started gives itself back.
                for run in state.loops.runs where summary.heldQueues.contains(run.work.claimGroup.queue) {
                    run.services.revoke()
                }
            }
            // The transaction had asked what to claim before the pause began.
            if state.isPaused { returned += state.queue.remove { _ in true } }
            if !returned.isEmpty { unsettled.add(1, ordering: .sequentiallyConsistent) }
            let hasMoreRoom = state.queue.count < held + claims.count
            return (begin(&state), returned, hasMoreRoom)
        }
        launch(starts)
        giveBack(returned)
        if let claim = summary.claim {
            watch(claim.missing)
            if let next = claim.nextClaim { setTimer(next) }
        }
        if let due = summary.dueAt { setTimer(due) }
        // The transaction counted the removed items as occupying the queue when it asked for free capacity.
        if hasMoreRoom { wake() }
        watchForStall()
        tellIfQuiet()
    }
}

extension Runner {
    /// The collaborators of a runner. A class, since each run refers to it.
    final class Parts: Sendable {
        let store: WorkStore
        let execution: WorkExecution
        let slots: Int
        let limits: WorkLimits
        let triggers: TriggerCheck
        let validation: InputValidation
        let clock: any WorkClock
        let random: @Sendable () -> Double
        let device: any DeviceStateReader
        let progress: WorkProgressPublisher
        let telemetry: TelemetryRelay?
        let notices: NoticeLog

        init(
            store: WorkStore, execution: WorkExecution, slots: Int, limits: WorkLimits, triggers: TriggerCheck,
            validation: InputValidation, clock: any WorkClock, random: @escaping @Sendable () -> Double,
            device: any DeviceStateReader,
            progress: WorkProgressPublisher, telemetry: TelemetryRelay?, notices: NoticeLog
        ) {
            self.store = store
            self.execution = execution
            self.slots = slots
            self.limits = limits
            self.triggers = triggers
            self.validation = validation
            self.clock = clock
            self.random = random
            self.device = device
            self.progress = progress
            self.telemetry = telemetry
            self.notices = notices
        }
    }
}
