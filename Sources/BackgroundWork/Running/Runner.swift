import BackgroundWorkModel
import BackgroundWorkStorage
import Synchronization

/// Claims due work and runs it, at most `slots` items at a time.
///
/// A slot is free again when its worker returns, not when the result is committed, and busy queues are claimed ahead
/// of the slots, so that claims, finishes and their events share transactions.
actor Runner {
    private struct Running {
        var task: Task<Void, Never>
        var stop: StopFlag
    }

    /// The most items that are claimed ahead of free slots.
    private static let farthestAhead = 256

    private let store: WorkStore
    private let execution: WorkExecution
    private let slots: Int
    private let clock: any WorkClock
    private let random: @Sendable () -> Double
    private let notices: NoticeLog

    private var owner: Int64?
    private var isStopping = false
    /// Claimed, not started; the next one is last.
    private var claimed: [ClaimedWork] = []
    private var running: [TransferKey: Running] = [:]
    private var suspect: TransferKey?
    private var suspectIsDue = false
    private var uncommitted = 0
    private var idle: [CheckedContinuation<Void, Never>] = []
    private var returnedSinceClaim = 0
    private var mayHaveMore = false
    private var isPumping = false
    private var timer: Task<Void, Never>?
    private nonisolated let wakeIsPending = Atomic(false)

    init(
        store: WorkStore, execution: WorkExecution, slots: Int, clock: any WorkClock,
        random: @escaping @Sendable () -> Double, notices: NoticeLog
    ) {
        self.store = store
        self.execution = execution
        self.slots = slots
        self.clock = clock
        self.random = random
        self.notices = notices
    }

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

    /// Asks the runs of these items to stop; what they return will be ignored.
    func stop(_ keys: [TransferKey], because reason: StopReason) {
        claimed.removeAll { work in keys.contains(work.record.transferKey) }
        for key in keys {
            guard let run = running[key] else { continue }
            run.stop.raise(reason)
            run.task.cancel()
        }
    }

    /// Stops claiming, gives running work `gracePeriod` to end, and puts back what did not.
    func shutDown(gracePeriod: Duration) async {
        guard !isStopping else { return }
        isStopping = true
        timer?.cancel()
        let waiting = claimed
        claimed = []
        await putBack(waiting.map(\.record.transferKey))
        stop(Array(running.keys), because: .shutdown)
        if !running.isEmpty || uncommitted > 0 {
            let clock = clock
            let alarm = Task {
                do { try await clock.sleep(for: gracePeriod) } catch { return }
                self.giveUpWaiting()
            }
            await withCheckedContinuation { idle.append($0) }
            alarm.cancel()
        }
        await putBack(Array(running.keys))
        running = [:]
    }

    private func giveUpWaiting() {
        for continuation in idle { continuation.resume() }
        idle = []
    }

    private func lookForWork() async {
        wakeIsPending.store(false, ordering: .releasing)
        mayHaveMore = true
        await pump()
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
            let free = slots - running.count
            let limit = free + ahead - claimed.count
            guard limit > 0 else { return }
            guard await claim(limit, for: owner) else { return }
        }
    }

    /// How many items to hold ready: none, while workers take longer than a claim does.
    private var ahead: Int { returnedSinceClaim > slots ? min(Self.farthestAhead, returnedSinceClaim * 2) : 0 }

    private func claim(_ limit: Int, for owner: Int64) async -> Bool {
        mayHaveMore = false
        let now = WallTime(clock.now)
        let claim: WorkTransaction.Claim
        do {
            claim = try await store.write { try $0.claim(limit: limit, owner: owner, now: now) }
        } catch {
            notices.add(.storageFailure, "No work could be claimed: \(error)")
            mayHaveMore = true
            wakeUp(after: .seconds(1))
            return false
        }
        if isStopping {
            await putBack(claim.work.map(\.record.transferKey))
            return false
        }
        claimed = claim.work.reversed() + claimed
        returnedSinceClaim = 0
        if claim.suspectIsDue { suspectIsDue = true }
        if claim.work.count >= limit { mayHaveMore = true }
        if let due = claim.nextDue { wakeUp(after: .milliseconds(max(1, due.milliseconds - now.milliseconds))) }
        return true
    }

    private func claimSuspect(_ owner: Int64) async {
        suspectIsDue = false
        let now = WallTime(clock.now)
        do {
            guard let work = try await store.write({ try $0.claimSuspect(owner: owner, now: now) }) else {
                mayHaveMore = true
                return
            }
            if isStopping {
                await putBack([work.record.transferKey])
                return
            }
            suspect = work.record.transferKey
            begin(work)
        } catch {
            notices.add(.storageFailure, "No work could be claimed: \(error)")
            mayHaveMore = true
            wakeUp(after: .seconds(1))
        }
    }

    private func startClaimed() {
        while running.count < slots, let work = claimed.popLast() { begin(work) }
    }

    private func begin(_ work: ClaimedWork) {
        let stop = StopFlag()
        let key = work.record.transferKey
        let task = Task {
            let ending = await self.execution.run(work, stop: stop)
            await self.returned(key)
            await self.commit(ending, of: work)
            self.committed()
        }
        running[key] = Running(task: task, stop: stop)
    }

    private func returned(_ key: TransferKey) async {
        uncommitted += 1
        // After a shutdown that did not wait for it, the item has been put back.
        guard running.removeValue(forKey: key) != nil else { return }
        returnedSinceClaim += 1
        if suspect == key {
            suspect = nil
            mayHaveMore = true
        }
        if isStopping { return }
        startClaimed()
        if claimed.count < ahead / 2 || claimed.isEmpty { await pump() }
    }

    private func committed() {
        uncommitted -= 1
        if isStopping, running.isEmpty, uncommitted == 0 { giveUpWaiting() }
    }

    private func wakeUp(after delay: Duration) {
        timer?.cancel()
        let clock = clock
        timer = Task {
            do { try await clock.sleep(for: delay) } catch { return }
            self.wake()
        }
    }

    /// Stores how a run ended. A result is never dropped because the disk was full for a while: it is tried again
    /// until it is stored or the scheduler shuts down.
    private func commit(_ ending: WorkExecution.Ending, of work: ClaimedWork) async {
        var failures = 0
        while true {
            do {
                try await store(ending, of: work)
                return
            } catch {
                failures += 1
                if failures == 1 {
                    notices.add(
                        .storageFailure, "The result of \(work.record.id) could not be stored and is kept: \(error)")
                }
                if isStopping { return }
                do { try await clock.sleep(for: .milliseconds(min(5000, 100 << min(failures, 6)))) } catch {}
            }
        }
    }

    private func store(_ ending: WorkExecution.Ending, of work: ClaimedWork) async throws {
        let key = work.record.transferKey
        let owner = owner
        let now = WallTime(clock.now)
        let random = random
        let leavesTransfers = execution.handsOffTransfers(work.record.workerName)
        try await store.write { transaction in
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
            let (change, details) = RunConclusion(ending: ending, record: current, now: now, random: random).change
            _ = try transaction.apply(change, to: key, details, now: now)
        }
    }

    private func putBack(_ keys: [TransferKey]) async {
        guard !keys.isEmpty else { return }
        let owner = owner
        let now = WallTime(clock.now)
        do {
            try await store.write { transaction in
                for key in keys {
                    guard let record = try transaction.record(id: key.workID), record.owner == owner else { continue }
                    _ = try transaction.apply(.stopped, to: key, .init(due: record.due), now: now)
                }
            }
        } catch {
            notices.add(
                .storageFailure,
                "Running work could not be put back and will be reclaimed by the next process: \(error)")
        }
    }
}
