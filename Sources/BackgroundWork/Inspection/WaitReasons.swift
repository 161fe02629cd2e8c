import BackgroundWorkModel
import BackgroundWorkStorage

/// Finds out what keeps an item from beginning.
struct WaitReasons {
    private(set) var found: [WaitReason] = []

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
        let lane = try transaction.lane(of: record)
        let unmet = device.unmet(lane.constraints)
        if !unmet.isEmpty { found.append(.conditionsMissing(unmet)) }
        if try transaction.pausedQueues().contains(lane.queue) { found.append(.queuePaused(lane.queue)) }
        let running = limits.countRunning ? try transaction.runningByLane() : []
        func addLimit(_ limit: Int?, _ name: String, _ isOfIt: (Lane) -> Bool) {
            guard let limit else { return }
            let count = running.filter { isOfIt($0.lane) }.reduce(0) { $0 + $1.count }
            if count >= limit { found.append(.limitReached(of: name, running: count, limit: limit)) }
        }
        addLimit(limits.workers[lane.worker], "the worker \(lane.worker)") { $0.worker == lane.worker }
        let queue = limits.queues[lane.queue]
        addLimit(queue?.maximumConcurrent, "the queue \"\(lane.queue)\"") { $0.queue == lane.queue }
        if let rate = queue?.rate {
            let (left, next) = try transaction.rateStanding(lane.queue, rate, now: now)
            if left == 0 { found.append(.rateLimitReached(queue: lane.queue, until: next?.date)) }
        }
    }
}
