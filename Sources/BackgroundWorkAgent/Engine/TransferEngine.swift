import BackgroundWorkExchange
import BackgroundWorkModel
import BackgroundWorkTransfers

/// Runs every active transfer as soon as its conditions allow, and only as long as they hold. Lives on the network
/// loop's thread.
final class TransferEngine {
    /// Becomes ready when the time of a transfer comes.
    let alarm: WakeAlarm
    let context: TransferContext
    let progress: ProgressPublisher
    private let monitor: DeviceMonitor
    private let clock: () -> WallTime
    let random: () -> Double
    let delivered: (RecordedOutcome) -> Void
    private(set) var transfers: [Int64: Transfer] = [:]
    private var queue: TransferQueue
    private var dues = DueTimes()
    /// Transfers whose hold depends on the device.
    private var conditional: Set<Int64> = []
    private var device: DeviceState?
    /// The device conditions that are monitored.
    private var interest: Constraints = []

    /// `delivered` receives every outcome after it was recorded.
    init(
        context: TransferContext, limits: TransferLimits, monitor: DeviceMonitor,
        clock: @escaping () -> WallTime = WallTime.now, random: @escaping () -> Double = { .random(in: 0...1) },
        delivered: @escaping (RecordedOutcome) -> Void
    ) throws {
        alarm = try WakeAlarm()
        self.context = context
        self.monitor = monitor
        self.clock = clock
        self.random = random
        self.delivered = delivered
        queue = TransferQueue(limits: limits)
        context.exchanges.throttle.limitAll(to: limits.bytesPerSecond)
        progress = ProgressPublisher(timers: context.timers)
        progress.engine = self
    }

    var now: WallTime { clock() }

    /// Whether no transfer runs or would run later without a host.
    var isIdle: Bool { transfers.values.allSatisfy { $0.hold.isPaused && !$0.isRunning } }

    /// libcurl, while it has something to wait for.
    var pollable: CurlMulti? { context.exchanges.pollable }
    var nextDeadline: SuspendingClock.Instant? { context.exchanges.nextDeadline }

    func phase(of transfer: Transfer) -> TransferPhase { transfer.phase(now: now, device: device) }

    // MARK: What the journal has decided

    func start(_ record: TransferRecord) {
        guard transfers[record.task] == nil else { return }
        let work: any TransferWork =
            switch record.specification.job {
            case .download(let job): DownloadWork(record, job: job, context: context)
            case .upload(let job): UploadWork(record, job: job, context: context)
            }
        let transfer = Transfer(record, work: work)
        work.attemptEnded = { [weak self, weak transfer] end in
            if let self, let transfer { self.attemptEnded(transfer, end) }
        }
        transfers[record.task] = transfer
        progress.changed(record.task)
        reconsider(transfer)
    }

    func setPaused(task: Int64, _ isPaused: Bool) {
        guard let transfer = transfers[task], transfer.hold.isPaused != isPaused else { return }
        transfer.hold.isPaused = isPaused
        // A caller that resumes a transfer does not want to wait for the next attempt.
        if !isPaused { transfer.hold.nextAttempt = nil }
        AgentLog.write("\(transfer.name): \(isPaused ? "paused" : "resumed")")
        reconsider(transfer)
    }

    func setLimits(_ limits: TransferLimits) {
        queue.limits = limits
        context.exchanges.throttle.limitAll(to: limits.bytesPerSecond)
    }

    /// Stops a cancelled transfer and deletes what it may have written since its record was deleted.
    func abandon(task: Int64) {
        guard let transfer = transfers[task] else { return }
        suspend(transfer)
        forget(transfer)
        AgentLog.write("\(transfer.name): cancelled")
        let folder = StagingFolder(paths: context.paths)
        // The file is kept open until here, so that its blocks are freed on the storage queue.
        let files = transfer.work.filesToSync
        context.staging.submit(
            write: { _ in }, cleanUp: { withExtendedLifetime(files) { folder.delete(task: task) } }
        ) { _ in }
    }

    /// Stops every transfer and makes the received bytes durable; the transfers resume when an agent starts again.
    func stopForLater() { for transfer in transfers.values { suspend(transfer) } }

    // MARK: One iteration of the loop

    func perform(now: SuspendingClock.Instant) {
        lookAtDevice()
        for task in dues.take(now: self.now) { if let transfer = transfers[task] { timeHasCome(for: transfer) } }
        for task in queue.takeStartable() { if let transfer = transfers[task] { beginAttempt(of: transfer) } }
        context.exchanges.turn(now: now)
        // Ended transfers release their slots first.
        for task in queue.takeStartable() { if let transfer = transfers[task] { beginAttempt(of: transfer) } }
        alarm.set(dues.next)
    }

    private func lookAtDevice() {
        // A new monitor has no state yet; until then the state of the previous one is used.
        guard let state = monitor.state, state != device else { return }
        device = state
        for task in conditional { if let transfer = transfers[task] { reconsider(transfer) } }
    }

    private func timeHasCome(for transfer: Transfer) {
        if transfer.deadline <= now, case .ending = transfer.stage {
        } else if transfer.deadline <= now {
            let limit = transfer.options.resourceTimeout.milliseconds
            suspend(transfer)
            return conclude(transfer, with: .failed(.tooLate(afterMs: limit, transfer.url)), headers: nil)
        }
        reconsider(transfer)
    }

    // MARK: Holding and releasing

    /// Brings a transfer into the stage that its hold asks for.
    func reconsider(_ transfer: Transfer) {
        if case .ending = transfer.stage { return }
        if settleUnexplained(transfer) { return }
        // Both use one reading of the clock: an instant that passed between two readings would never be waited for.
        let now = now
        let reason = transfer.hold.reason(now: now, device: device)
        switch (reason, transfer.stage) {
        case (nil, .held):
            transfer.stage = .queued
            queue.add(task: transfer.task, line: transfer.line, priority: transfer.options.priority)
        case (.some, .queued):
            queue.remove(task: transfer.task)
            transfer.stage = .held
        case (.some(let reason), .running), (.some(let reason), .refreshing):
            AgentLog.write("\(transfer.name): waiting (\(reason))")
            suspend(transfer)
        default: break
        }
        progress.changed(transfer.task)
        follow(transfer, after: now)
    }

    /// Waits for what the transfer's hold depends on: an instant, or the device.
    private func follow(_ transfer: Transfer, after now: WallTime) {
        var due = transfer.hold.nextChange(after: now)
        if transfer.deadline < .distantFuture { due = min(due ?? transfer.deadline, transfer.deadline) }
        dues.set(due, for: transfer.task)
        let wasConditional = conditional.contains(transfer.task)
        let isConditional = !transfer.hold.needs.isEmpty && !transfer.hold.isPaused
        if isConditional { conditional.insert(transfer.task) } else { conditional.remove(transfer.task) }
        guard isConditional || wasConditional else { return }
        followDevice()
    }

    private func followDevice() {
        let interest = conditional.reduce(into: Constraints()) { $0.formUnion(transfers[$1]?.hold.needs ?? []) }
        guard interest != self.interest else { return }
        // The state of conditions that were not monitored so far is unknown.
        device =
            conditional.isEmpty ? nil : device?.restricted(to: self.interest)
        self.interest = interest
        monitor.follow(interest)
    }

    /// A lost connection counts as a failed attempt only while there is a network.
    private func settleUnexplained(_ transfer: Transfer) -> Bool {
        guard let failure = transfer.unexplained, let device, !transfer.hold.isPaused else { return false }
        if device.unmet(.network).isEmpty {
            transfer.unexplained = nil
            transfer.hold.needs = TransferHold(transfer.options, isPaused: false, nextAttempt: nil).needs
            guard transfer.hasMissedNetwork else {
                settle(transfer, failure)
                return true
            }
            AgentLog.write("\(transfer.name): the network is available again")
            transfer.hasMissedNetwork = false
            return false
        }
        if !transfer.hasMissedNetwork { AgentLog.write("\(transfer.name): there is no network; waiting for one") }
        transfer.hasMissedNetwork = true
        return false
    }

    /// Waits until it is known whether a missing network explains the failure.
    func holdForNetwork(_ transfer: Transfer, _ failure: AttemptFailure) {
        transfer.unexplained = failure
        transfer.hasMissedNetwork = false
        transfer.hold.needs.formUnion(.network)
        reconsider(transfer)
    }

    // MARK: Slots

    /// Stops a running transfer without an outcome; its progress is kept.
    func suspend(_ transfer: Transfer) {
        switch transfer.stage {
        case .running: transfer.work.suspend()
        case .refreshing(let request): request.stop(on: context.exchanges)
        case .held, .queued, .ending: break
        }
        if case .ending = transfer.stage { return }
        transfer.stage = .held
        leavePlace(transfer)
    }

    func leavePlace(_ transfer: Transfer) { queue.remove(task: transfer.task) }

    func forget(_ transfer: Transfer) {
        transfers[transfer.task] = nil
        leavePlace(transfer)
        dues.set(nil, for: transfer.task)
        context.timers.cancel(.recordAgain(task: transfer.task))
        context.timers.cancel(.sample(task: transfer.task))
        if conditional.remove(transfer.task) != nil {
            followDevice()
        }
        progress.ended(transfer.task)
    }
}
