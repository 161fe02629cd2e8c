import BackgroundWorkModel
import BackgroundWorkStorage
import Synchronization

/// Claims due work and runs it, at most `slots` items at a time.
///
/// A slot is free again when its worker returns, not when the result is committed, and busy queues are claimed ahead
/// of the slots, so that claims, finishes and their events share transactions.
actor Runner {
    struct Running {
        var task: Task<Void, Never>
        var stop: StopFlag
        var alarms: RunAlarms
        var lane: Lane
    }

    /// What a runner is made of.
    struct Parts: Sendable {
        var store: WorkStore
        var execution: WorkExecution
        var slots: Int
        var limits: WorkLimits
        var triggers: TriggerCheck
        var clock: any WorkClock
        var random: @Sendable () -> Double
        var device: any DeviceStateReader
        var progress: ProgressBoard
        var telemetry: TelemetryRelay?
        var notices: NoticeLog
    }

    /// "Any number" stands for this many, so that sums of numbers of items never overflow.
    static let mostSlots = Int(Int32.max)
    /// The most items that are claimed ahead of free slots.
    private static let farthestAhead = 256
    /// The longest wait without a look, so that no mistake about the time lasts longer.
    private static let longestWait = Duration.seconds(86_400)

    let parts: Parts
    private var owner: Int64?
    private var isStopping = false
    /// Claimed, not started; the next one is last.
    private var claimed: [ClaimedWork] = []
    private var running: [TransferKey: Running] = [:]
    private var suspect: TransferKey?
    private var suspectIsDue = false
    private var uncommitted = 0
    private var idle: [CheckedContinuation<Void, Never>] = []
    private var quiet: [CheckedContinuation<Void, Never>] = []
    private var returnedSinceClaim = 0
    private var mayHaveMore = false
    /// Due work waits for the end of other work.
    private var isHeldBackByLimits = false
    private var starvation = StarvationGuard()
    private var isPumping = false
    private var timer: Task<Void, Never>?
    private nonisolated let wakeIsPending = Atomic(false)

    /// The conditions that are watched; what is not watched counts as not met, until it has been read.
    private var watched: Constraints = []
    private var device = DeviceState(satisfied: [])
    private var deviceWatch: Task<Void, Never>?
    /// Conditions were asked for, and have not been read yet.
    private var isReadingDevice = false

    init(_ parts: Parts) { self.parts = parts }

    /// Begins to claim and run work for an owner.
    func start(owner: Int64) async {
        guard self.owner == nil, !isStopping else { return }
        self.owner = owner
        await lookForWork()
    }

    /// There may be due work. Costs next to nothing when such a call is under way already.
    nonisolated func wake() {
        guard !wakeIsPending.exchange(true, ordering: .acquiringAndReleasing) else { return }
        Task { await lookForWork() }
    }

    /// What this runner has begun and what it is about to.
    var load: (running: Int, slots: Int) { (running.count + claimed.count, parts.slots) }

    /// Whether nothing runs, is about to, or waits to be stored, and all that is due has been looked at.
    private var isQuiet: Bool {
        owner == nil || isStopping
            || running.isEmpty && claimed.isEmpty && uncommitted == 0 && !isPumping && !mayHaveMore && !isReadingDevice
                && !wakeIsPending.load(ordering: .acquiring)
    }

    /// Looks for work, and returns when nothing runs and nothing more can begin now.
    func untilIdle() async {
        await lookForWork()
        while !isQuiet { await withCheckedContinuation { quiet.append($0) } }
    }

    private func tellIfQuiet() {
        guard !quiet.isEmpty, isQuiet else { return }
        for continuation in quiet { continuation.resume() }
        quiet = []
    }

    /// Asks the runs of these items to stop.
    func stop(_ keys: [TransferKey], because reason: StopReason) {
        if reason == .cancelled { claimed.removeAll { work in keys.contains(work.record.transferKey) } }
        for key in keys {
            guard let run = running[key] else { continue }
            run.stop.raise(reason)
            run.task.cancel()
        }
    }

    /// Stops what the database does not have as running here any more: another process has cancelled it.
    func keepOnly(_ keys: Set<TransferKey>) {
        stop(running.keys.filter { !keys.contains($0) }, because: .cancelled)
    }

    /// Stops claiming, gives running work `gracePeriod` to end, and puts back what did not.
    func shutDown(gracePeriod: Duration) async {
        guard !isStopping else { return }
        isStopping = true
        timer?.cancel()
        deviceWatch?.cancel()
        let waiting = claimed
        claimed = []
        await putBack(waiting.map(\.record.transferKey))
        stop(Array(running.keys), because: .shutdown)
        if !running.isEmpty || uncommitted > 0 {
            let clock = parts.clock
            let alarm = Task {
                do { try await clock.sleep(for: gracePeriod) } catch { return }
                self.giveUpWaiting()
            }
            await withCheckedContinuation { idle.append($0) }
            alarm.cancel()
        }
        await putBack(Array(running.keys))
        for run in running.values { run.alarms.cancel() }
        running = [:]
        tellIfQuiet()
    }

    private func giveUpWaiting() {
        for continuation in idle { continuation.resume() }
        idle = []
    }

    private func lookForWork() async {
        wakeIsPending.store(false, ordering: .releasing)
        mayHaveMore = true
        await pump()
        tellIfQuiet()
    }

    private func pump() async {
        guard let owner, !isPumping else { return }
        isPumping = true
        defer { isPumping = false }
        while !isStopping {
            startClaimed()
            if suspectIsDue {
                // Suspects run alone: what runs ends first, and nothing else is claimed meanwhile.
                guard running.isEmpty, claimed.isEmpty else { return }
                await claimSuspect(owner)
                continue
            }
            guard mayHaveMore, suspect == nil, claimed.isEmpty || claimed.count < ahead / 2 else { return }
            let limit = parts.slots - running.count + ahead - claimed.count
            guard limit > 0 else { return }
            guard await claim(limit, for: owner) else { return }
        }
    }

    /// How many items to hold ready: none, while workers take longer than a claim does.
    private var ahead: Int {
        returnedSinceClaim > parts.slots ? min(Self.farthestAhead, returnedSinceClaim * 2) : 0
    }

    private func rules(limit: Int, owner: Int64) -> ClaimRules {
        ClaimRules(
            limit: limit, reservedForOldest: starvation.reserved(of: limit), owner: owner,
            now: WallTime(parts.clock.now), device: device, limits: parts.limits, random: parts.random())
    }

    private func claim(_ limit: Int, for owner: Int64) async -> Bool {
        mayHaveMore = false
        let rules = rules(limit: limit, owner: owner)
        let claim: Claim
        do {
            claim = try await parts.store.write { try $0.claim(rules) }
        } catch {
            claimFailed(error)
            return false
        }
        if isStopping {
            await putBack(claim.work.map(\.record.transferKey))
            return false
        }
        starvation.claimed(claim.work.count)
        claimed = claim.work.reversed() + claimed
        returnedSinceClaim = 0
        if claim.suspectIsDue { suspectIsDue = true }
        if claim.work.count >= limit { mayHaveMore = true }
        isHeldBackByLimits = claim.isHeldBackByLimits
        watch(claim.missing)
        if let next = claim.nextLook {
            wakeUp(after: .milliseconds(max(1, next.milliseconds - rules.now.milliseconds)))
        }
        return true
    }

    private func claimFailed(_ error: any Error) {
        parts.notices.add(.storageFailure, "No work could be claimed: \(error)")
        mayHaveMore = true
        wakeUp(after: .seconds(1))
    }

    private func claimSuspect(_ owner: Int64) async {
        suspectIsDue = false
        let rules = rules(limit: 1, owner: owner)
        do {
            guard let work = try await parts.store.write({ try $0.claimSuspect(rules) }) else {
                mayHaveMore = true
                return
            }
            if isStopping { return await putBack([work.record.transferKey]) }
            suspect = work.record.transferKey
            begin(work)
        } catch {
            claimFailed(error)
        }
    }

    private func startClaimed() {
        while running.count < parts.slots, let work = claimed.popLast() {
            if device.unmet(work.lane.constraints).isEmpty {
                begin(work)
            } else {
                // The condition was lost between the claim and now.
                mayHaveMore = true
                Task { await self.putBack([work.record.transferKey]) }
            }
        }
    }

    private func begin(_ work: ClaimedWork) {
        let stop = StopFlag()
        let key = work.record.transferKey
        let record = work.record
        let progress = parts.progress
        let services = RunServices(
            work: work, stop: stop, store: parts.store, triggers: parts.triggers, clock: parts.clock
        ) { report in
            progress.report(
                TaskProgressEvent(
                    workID: record.id, taskName: record.workerName, chainID: record.chainID, progress: report), of: key)
        }
        parts.telemetry?.began(work, now: WallTime(parts.clock.now))
        let task = Task {
            let ending = await self.parts.execution.run(work, services: services)
            await self.returned(key)
            await self.commit(ending, of: work, services)
            self.committed(key)
        }
        let alarms = RunAlarms(for: record, clock: parts.clock) { [weak self] reason in
            await self?.stop([key], because: reason)
        }
        running[key] = Running(task: task, stop: stop, alarms: alarms, lane: work.lane)
    }

    private func returned(_ key: TransferKey) async {
        uncommitted += 1
        // After a shutdown that did not wait for it, the item has been put back.
        guard let run = running.removeValue(forKey: key) else { return }
        run.alarms.cancel()
        returnedSinceClaim += 1
        if suspect == key {
            suspect = nil
            mayHaveMore = true
        }
        if isStopping { return }
        startClaimed()
        if claimed.count < ahead / 2 || claimed.isEmpty { await pump() }
    }

    private func committed(_ key: TransferKey) {
        uncommitted -= 1
        parts.progress.remove(key)
        if isHeldBackByLimits {
            // Only now does the database count one less.
            isHeldBackByLimits = false
            wake()
        }
        if isStopping, running.isEmpty, uncommitted == 0 { giveUpWaiting() }
        tellIfQuiet()
    }

    private func wakeUp(after delay: Duration) {
        timer?.cancel()
        let clock = parts.clock
        let delay = min(delay, Self.longestWait)
        timer = Task {
            do { try await clock.sleep(for: delay) } catch { return }
            self.wake()
        }
    }
}

// MARK: The device's conditions

extension Runner {
    /// Watches these conditions as well. What is known changes only when they have been read.
    private func watch(_ missing: Constraints) {
        guard !missing.isSubset(of: watched), !isStopping else { return }
        watched.formUnion(missing)
        deviceWatch?.cancel()
        isReadingDevice = true
        let reader = parts.device
        let changes = reader.changes(of: watched)
        deviceWatch = Task {
            // Read after the subscription, so that no change is missed between the two.
            await self.deviceIs(await reader.state())
            for await state in changes { await self.deviceIs(state) }
        }
    }

    private func deviceIs(_ state: DeviceState) async {
        guard !Task.isCancelled, !isStopping else { return }
        isReadingDevice = false
        device = DeviceState(satisfied: state.satisfied.intersection(watched))
        let lost = running.filter { !device.unmet($0.value.lane.constraints).isEmpty }
        stop(Array(lost.keys), because: .constraintLost)
        await lookForWork()
    }
}

// MARK: The end of a run

extension Runner {
    /// Stores how a run ended. A result is never dropped because the disk was full for a while: it is tried again
    /// until it is stored or the scheduler shuts down.
    private func commit(_ ending: WorkExecution.Ending, of work: ClaimedWork, _ services: RunServices) async {
        var failures = 0
        while true {
            do {
                try await store(ending, of: work, services.submissions)
                return
            } catch {
                failures += 1
                if failures == 1 {
                    parts.notices.add(
                        .storageFailure, "The result of \(work.record.id) could not be stored and is kept: \(error)")
                }
                if isStopping { return }
                do { try await parts.clock.sleep(for: .milliseconds(min(5000, 100 << min(failures, 6)))) } catch {}
            }
        }
    }

    private func store(
        _ ending: WorkExecution.Ending, of work: ClaimedWork, _ submissions: RunSubmissions
    ) async throws {
        let key = work.record.transferKey
        let owner = owner
        let now = WallTime(parts.clock.now)
        let random = parts.random
        let leavesTransfers = parts.execution.handsOffTransfers(work.record.workerName)
        try await parts.store.write { transaction in
            // Another process may own the item by now, if this one was given up for dead or put it back.
            guard let current = try transaction.record(id: key.workID), current.owner == owner,
                current.status.generation == key.generation, current.status.state == .running
            else {
                // An outcome that came before this commit is no reason to cancel; an end that was not asked for is.
                let isGone = try transaction.record(id: key.workID).map {
                    $0.status.generation != key.generation || $0.status.state == .cancelled
                }
                if leavesTransfers, isGone ?? true { try transaction.requestCancellation(of: key) }
                return
            }
            let conclusion = RunConclusion(ending: ending, record: current, now: now, random: random)
            let change = try Self.conclude(conclusion, key, submissions, in: transaction)
            // Nobody would take in, or take back, what an earlier try has left with the daemon.
            if leavesTransfers, case .workerFinished = change, conclusion.mayHaveBegunHandOff {
                try transaction.requestCancellation(of: key)
            }
        }
    }

    private static func conclude(
        _ conclusion: RunConclusion, _ key: TransferKey, _ submissions: RunSubmissions, in transaction: WorkTransaction
    ) throws -> WorkChange {
        let (change, details) = conclusion.change
        let now = conclusion.now
        guard change == .workerFinished(.succeeded), !submissions.isEmpty else {
            _ = try transaction.apply(change, to: key, details, now: now)
            return change
        }
        do {
            try transaction.allOrNothing {
                // The finish first: the run may enqueue its own successor under its own id.
                _ = try transaction.apply(change, to: key, details, now: now)
                try submissions.enqueue(in: transaction, now: now)
            }
        } catch let error as EnqueueError {
            let message = "it succeeded, but what it enqueued was refused, so that nothing is lost unseen: \(error)"
            _ = try transaction.apply(.workerFinished(.failed), to: key, .init(message: message), now: now)
        }
        return change
    }

    private func putBack(_ keys: [TransferKey]) async {
        guard !keys.isEmpty else { return }
        let owner = owner
        let now = WallTime(parts.clock.now)
        do {
            try await parts.store.write { transaction in
                for key in keys {
                    guard let record = try transaction.record(id: key.workID), record.owner == owner else { continue }
                    _ = try transaction.apply(.stopped, to: key, .init(due: record.due), now: now)
                }
            }
        } catch {
            parts.notices.add(
                .storageFailure,
                "Running work could not be put back and will be reclaimed by the next process: \(error)")
        }
    }
}
