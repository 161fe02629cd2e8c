import BackgroundWorkModel

extension WorkTransaction {
    /// Keeps a queue from starting more; what runs goes on. `false` if it was paused before.
    package func pause(queue: String, now: WallTime) throws -> Bool {
        let added = try connection.run(
            "INSERT OR IGNORE INTO queues (name, paused_at) VALUES (?, ?)", .text(queue), .int(now.milliseconds))
        if added > 0 { summary.mayHaveLessDueWork = true }
        return added > 0
    }

    /// Lets a queue start again. `false` if it was not paused.
    package func resume(queue: String) throws -> Bool {
        let resumed = try connection.run("DELETE FROM queues WHERE name = ?", .text(queue)) > 0
        if resumed { summary.mayHaveDueWork = true }
        return resumed
    }

    package func pausedQueues() throws -> Set<String> {
        var names: Set<String> = []
        try connection.rows("SELECT name FROM queues") { names.insert($0.text(0)) }
        return names
    }

    /// How many items of each lane run, in all processes. There are never many.
    package func runningByLane() throws -> [(lane: Lane, count: Int)] {
        var counts: [(Int64, Int)] = []
        try connection.rows(
            "SELECT lane, count(*) FROM work WHERE owner IS NOT NULL AND state = 2 GROUP BY lane"
        ) { counts.append(($0.int(0), Int($0.int(1)))) }
        return try counts.map { (try lanes.lane($0.0), $0.1) }
    }

    /// How many more may start now in each queue with a rate limit. Every start of the last period is kept, so that
    /// there are never more than the limit in any stretch of that length.
    func rateBudgets(_ limits: WorkLimits, now: WallTime) throws -> [String: Int] {
        var budgets: [String: Int] = [:]
        for (queue, limit) in limits.queues {
            if let rate = limit.rate { budgets[queue] = try rateBudget(queue, rate, now: now).left }
        }
        return budgets
    }

    func lookAtRates(_ rules: ClaimRules, _ claim: inout Claim) throws {
        for queue in claim.rateLimited {
            guard let rate = rules.limits.queues[queue]?.rate,
                let next = try rateBudget(queue, rate, now: rules.now).nextAt
            else { continue }
            claim.look(at: next)
        }
    }

    private func rateBudget(_ queue: String, _ rate: RateLimit, now: WallTime) throws -> (left: Int, nextAt: WallTime?)
    {
        // After the clock was set back, starts that seem to lie ahead count as just made.
        try connection.run(
            "UPDATE rate_starts SET at = ?1 WHERE queue = ?2 AND at > ?1", .int(now.milliseconds), .text(queue))
        return try rateStanding(queue, rate, now: now)
    }

    /// How many more may start now, and when one more than that.
    package func rateStanding(
        _ queue: String, _ rate: RateLimit, now: WallTime
    ) throws -> (left: Int, nextAt: WallTime?) {
        let period = rate.period.milliseconds
        let began = now.advanced(byMs: -period).milliseconds
        let used =
            try connection.first(
                "SELECT count(*) FROM rate_starts WHERE queue = ? AND at > ?", .text(queue), .int(began)
            ) { Int($0.int(0)) } ?? 0
        let limiting = try connection.first(
            "SELECT at FROM rate_starts WHERE queue = ? AND at > ? ORDER BY at DESC LIMIT 1 OFFSET ?", .text(queue),
            .int(began), .int(rate.count - 1)
        ) { WallTime(milliseconds: $0.int(0)).advanced(byMs: period) }
        return (max(0, rate.count - used), limiting)
    }

    func noteStarts(of lanes: [Lane], _ rules: ClaimRules) throws {
        guard rules.limits.queues.values.contains(where: { $0.rate != nil }) else { return }
        for lane in lanes {
            guard let rate = rules.limits.queues[lane.queue]?.rate else { continue }
            try connection.run(
                "INSERT INTO rate_starts (queue, at) VALUES (?, ?)", .text(lane.queue), .int(rules.now.milliseconds))
            try connection.run(
                "DELETE FROM rate_starts WHERE queue = ? AND at <= ?", .text(lane.queue),
                .int(rules.now.advanced(byMs: -rate.period.milliseconds).milliseconds))
        }
    }
}
