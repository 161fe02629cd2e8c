import BackgroundWorkModel

extension WorkSnapshot {
    package func pausedQueues() throws -> Set<String> {
        var names: Set<String> = []
        try connection.rows("SELECT name FROM paused_queues") { names.insert($0.text(0)) }
        return names
    }

    /// How many items of each claim group run, in all processes. There are never many rows.
    package func runningByClaimGroup() throws -> [(claimGroup: ClaimGroup, count: Int)] {
        try runningByClaimGroup(of: 0).map { ($0.claimGroup, $0.count) }
    }

    /// The same, with the number that an owner has.
    func runningByClaimGroup(of owner: Int64) throws -> [(claimGroup: ClaimGroup, count: Int, own: Int)] {
        try tables.runs.countByClaimGroup(of: owner).map {
            (try claimGroups.claimGroup($0.claimGroup), $0.count, $0.own)
        }
    }

    /// The limits of the configuration, replaced by those that were set at run time.
    package func limitsInForce(_ configured: WorkLimits) throws -> WorkLimits {
        var limits = configured
        try connection.rows("SELECT kind, name, body FROM limits") { row in
            switch LimitKind(rawValue: row.text(0)) {
            case .queue: limits.queues[row.text(1)] = try? JSONCoding.value(from: row.text(2))
            case .worker: limits.workers[row.text(1)] = (try? JSONCoding.value([Int].self, from: row.text(2)))?.first
            case nil: break
            }
        }
        return limits
    }

    /// How many more items may start now, and when one more than that may start.
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
}

extension WorkTransaction {
    /// Prevents a queue from starting more; running work continues. `false` if it was already paused.
    package func pause(queue: String, now: WallTime) throws -> Bool {
        let isNew =
            try connection.run(
                "INSERT OR IGNORE INTO paused_queues VALUES (?, ?)", .text(queue), .int(now.milliseconds)) > 0
        if isNew {
            forgetHolds()
            summary.pausedQueues.insert(queue)
            summary.heldQueues.insert(queue)
            summary.scheduleChanged = true
        }
        return isNew
    }

    /// Lets a queue start again. `false` if it was not paused.
    package func resume(queue: String) throws -> Bool {
        let resumed = try connection.run("DELETE FROM paused_queues WHERE name = ?", .text(queue)) > 0
        if resumed { holdsChanged() }
        return resumed
    }

    /// Sets the limits of a queue in place of the configuration's; `nil` restores those.
    package func setLimits(_ limits: QueueLimits?, ofQueue queue: String) throws {
        try setLimit(.queue, queue, try limits.map { try JSONCoding.text(of: $0) })
    }

    /// Sets the limit of a worker in place of the configuration's; `nil` restores that.
    package func setLimit(_ limit: Int?, ofWorker worker: String) throws {
        try setLimit(.worker, worker, try limit.map { try JSONCoding.text(of: [$0]) })
    }

    private func setLimit(_ kind: LimitKind, _ name: String, _ body: String?) throws {
        if let body {
            try connection.run(
                "INSERT OR REPLACE INTO limits VALUES (?, ?, ?)", .text(kind.rawValue), .text(name), .text(body))
        } else {
            try connection.run("DELETE FROM limits WHERE kind = ? AND name = ?", .text(kind.rawValue), .text(name))
        }
        holdsChanged()
        // Items that others have claimed beyond the old limit do not start before they have read the new one.
        summary.hasStopsForOthers = true
    }

    /// More items may start than before.
    func holdsChanged() {
        forgetHolds()
        summary.hasDueWork = true
        summary.scheduleChanged = true
    }

    /// How many more items may start now in each queue with a rate limit. Every start of the last period is kept, so
    /// that there are never more than the limit in any period of that length.
    func rateBudgets(_ limits: WorkLimits, now: WallTime) throws -> [String: Int] {
        var budgets: [String: Int] = [:]
        for (queue, limit) in limits.queues {
            if let rate = limit.rate { budgets[queue] = try rateBudget(queue, rate, now: now).left }
        }
        return budgets
    }

    func lookAtRates(_ rules: ClaimRules, _ claim: inout Claim) throws {
        if claim.rateLimited.isEmpty { return }
        let limits = try limits(rules)
        for queue in claim.rateLimited {
            guard let rate = limits.queues[queue]?.rate,
                let next = try rateBudget(queue, rate, now: rules.now).nextAt
            else { continue }
            claim.look(at: next)
        }
    }

    private func rateBudget(_ queue: String, _ rate: RateLimit, now: WallTime) throws -> (left: Int, nextAt: WallTime?)
    {
        // After the clock was set back, starts in the future count as just made.
        try connection.run(
            "UPDATE rate_starts SET at = ?1 WHERE queue = ?2 AND at > ?1", .int(now.milliseconds), .text(queue))
        return try rateStanding(queue, rate, now: now)
    }

    func noteStarts(of claimGroups: some Sequence<ClaimGroup>, _ rules: ClaimRules) throws {
        let limits = try limits(rules)
        guard limits.queues.values.contains(where: { $0.rate != nil }) else { return }
        for claimGroup in claimGroups {
            guard let rate = limits.queues[claimGroup.queue]?.rate else { continue }
            try connection.run(
                "INSERT INTO rate_starts (queue, at) VALUES (?, ?)", .text(claimGroup.queue),
                .int(rules.now.milliseconds))
            try connection.run(
                "DELETE FROM rate_starts WHERE queue = ? AND at <= ?", .text(claimGroup.queue),
                .int(rules.now.advanced(byMs: -rate.period.milliseconds).milliseconds))
        }
    }
}

private enum LimitKind: String {
    case queue, worker
}
