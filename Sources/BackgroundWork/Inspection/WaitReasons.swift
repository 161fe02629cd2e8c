import BackgroundWorkModel
import BackgroundWorkStorage

/// Finds out what prevents an item from starting.
struct WaitReasons {
    private(set) var found: [WaitReason] = []
    /// The conditions that it needs and that cannot be read.
    private(set) var unreadable: [ConditionFault] = []

    init(
        _ record: WorkRecord, _ transaction: WorkSnapshot, limits: WorkLimits, device: DeviceState, now: WallTime
    ) throws {
        switch record.status.state {
        case .blocked: found = [.predecessorsUnfinished(try transaction.unfinishedPredecessors(of: record))]
        case .pending:
            addTime(record, now)
            try addQueue(record, transaction, limits, device, now)
            if record.status.isSuspect { found.append(.mustRunAlone(deaths: record.status.deaths)) }
        default: break
        }
        switch record.status.state {
        case .blocked, .pending, .running:
            unreadable = device.restricted(to: try transaction.claimGroup(of: record).constraints).unreadable
        default: break
        }
    }

    private mutating func addTime(_ record: WorkRecord, _ now: WallTime) {
        guard record.due > now else { return }
        if record.due == .distantFuture, let path = record.trigger?.watchedPath {
            found.append(.fileUnchanged(path: path))
        } else if record.status.attempt > 0 {
            found.append(
                .betweenAttempts(attempt: record.status.attempt, until: record.due.date, reason: record.message))
        } else {
            found.append(.notDue(until: record.due.date))
        }
    }

    private mutating func addQueue(
        _ record: WorkRecord, _ transaction: WorkSnapshot, _ limits: WorkLimits, _ device: DeviceState,
        _ now: WallTime
    ) throws {
        let claimGroup = try transaction.claimGroup(of: record)
        let unmet = device.unmet(claimGroup.constraints)
        if !unmet.isEmpty { found.append(.conditionsMissing(unmet)) }
        if try transaction.pausedQueues().contains(claimGroup.queue) { found.append(.queuePaused(claimGroup.queue)) }
        let running = limits.countRunning ? try transaction.runningByClaimGroup() : []
        func addLimit(_ limit: Int?, _ name: String, _ isOfIt: (ClaimGroup) -> Bool) {
            guard let limit else { return }
            let count = running.filter { isOfIt($0.claimGroup) }.reduce(0) { $0 + $1.count }
            if count >= limit { found.append(.limitReached(of: name, running: count, limit: limit)) }
        }
        addLimit(limits.workers[claimGroup.worker], "the worker \(claimGroup.worker)") {
            $0.worker == claimGroup.worker
        }
        let queue = limits.queues[claimGroup.queue]
        addLimit(queue?.maximumConcurrent, "the queue \"\(claimGroup.queue)\"") { $0.queue == claimGroup.queue }
        if let rate = queue?.rate {
            let (left, next) = try transaction.rateStanding(claimGroup.queue, rate, now: now)
            if left == 0 { found.append(.rateLimitReached(queue: claimGroup.queue, until: next?.date)) }
        }
    }
}
