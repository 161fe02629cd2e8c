import BackgroundWorkModel

/// How many more items of each claim group one claim may take.
///
/// Quick work under a concurrency limit may be claimed beyond the limit, to wait in its scheduler until a running
/// item has ended: other schedulers cannot claim any of it meanwhile, since by their count the limit is reached.
struct ClaimQuota {
    private struct Group {
        let key: LimitKey
        /// How many items of this scheduler may run at the same time: what other schedulers leave of the limit.
        var permits: Int
        /// How many it has claimed.
        var own: Int
        /// How many it may claim.
        var most: Int
        /// Its workers that have not returned although their work has been cancelled.
        var leaving: Int
    }

    /// The limits that a claim group counts toward.
    private struct Membership {
        var claimGroup: ClaimGroup
        var groups: [Int]
        var keys: [LimitKey]
    }

    private var groups: [Group] = []
    private var rates: [String: Int]
    private let limits: WorkLimits
    /// That of the newest lookup: items of a claim group come together.
    private var last: Membership?

    /// - Parameters:
    ///   - running: how many items of each claim group run, in all processes, and how many of them are this scheduler's.
    ///   - rates: how many more may start now in each queue with a rate limit.
    ///   - ahead: how many items of quick work each slot under a limit completes within moments.
    ///   - leaving: see ``ClaimRules/leaving``.
    init(
        limits: WorkLimits, running: [(claimGroup: ClaimGroup, count: Int, own: Int)], rates: [String: Int],
        ahead: [LimitKey: Double] = [:], leaving: [LimitKey: Int] = [:]
    ) {
        self.limits = limits
        self.rates = rates
        var taken: [LimitKey: (count: Int, own: Int)] = [:]
        for (claimGroup, count, own) in running {
            for key in limits.keys(of: claimGroup) {
                taken[key, default: (0, 0)].count += count
                taken[key, default: (0, 0)].own += own
            }
        }
        let keys = limits.workers.keys.map(LimitKey.worker) + limits.queues.keys.map(LimitKey.queue)
        for key in keys {
            guard let limit = limits.most(key) else { continue }
            let (count, own) = taken[key] ?? (0, 0)
            let permits = max(0, limit - (count - own))
            let waiting = min(Double(permits) * (ahead[key] ?? 0), Double(Self.farthestAhead))
            groups.append(
                Group(
                    key: key, permits: permits, own: own, most: permits + Int(waiting), leaving: leaving[key] ?? 0))
        }
    }

    /// The most items that are claimed beyond a limit.
    private static let farthestAhead = 1024

    /// How many items of this scheduler may run at the same time, under each limit.
    var permits: [LimitKey: Int] { Dictionary(uniqueKeysWithValues: groups.map { ($0.key, $0.permits) }) }

    /// The concurrency limits that apply to a claim group.
    mutating func keys(of claimGroup: ClaimGroup) -> [LimitKey] {
        groups.isEmpty ? [] : membership(of: claimGroup).keys
    }

    /// How many more items of the claim group may be claimed.
    mutating func left(_ claimGroup: ClaimGroup) -> Int {
        // Starts under a rate limit are counted when they are claimed.
        if let rate = rate(of: claimGroup) { return max(0, min(rate, room(claimGroup) { $0.permits })) }
        return max(0, room(claimGroup) { $0.most })
    }

    /// Whether a concurrency limit, rather than a rate limit, holds the claim group back.
    mutating func isFull(_ claimGroup: ClaimGroup) -> Bool {
        let isRated = rate(of: claimGroup) != nil
        return room(claimGroup) { isRated ? $0.permits : $0.most } <= 0
    }

    /// Whether the limits allow an item of the claim group that is claimed now to start at once.
    mutating func mayBegin(_ claimGroup: ClaimGroup) -> Bool { room(claimGroup) { $0.permits - $0.leaving } > 0 }

    mutating func take(_ claimGroup: ClaimGroup) {
        if !groups.isEmpty {
            for group in membership(of: claimGroup).groups { groups[group].own += 1 }
        }
        if !rates.isEmpty { rates[claimGroup.queue]? -= 1 }
    }

    private func rate(of claimGroup: ClaimGroup) -> Int? { rates.isEmpty ? nil : rates[claimGroup.queue] }

    private mutating func room(_ claimGroup: ClaimGroup, _ bound: (Group) -> Int) -> Int {
        if groups.isEmpty { return Int.max }
        return membership(of: claimGroup).groups.reduce(Int.max) { min($0, bound(groups[$1]) - groups[$1].own) }
    }

    private mutating func membership(of claimGroup: ClaimGroup) -> Membership {
        if let last, last.claimGroup == claimGroup { return last }
        let keys = limits.keys(of: claimGroup)
        let places = keys.compactMap { key in groups.firstIndex { $0.key == key } }
        let found = Membership(claimGroup: claimGroup, groups: places, keys: keys)
        last = found
        return found
    }
}

/// The worker or queue that a concurrency limit applies to.
package enum LimitKey: Sendable, Hashable {
    case queue(String)
    /// By name as requested.
    case worker(String)
}

extension WorkLimits {
    /// The concurrency limits that apply to a claim group.
    func keys(of claimGroup: ClaimGroup) -> [LimitKey] {
        var keys: [LimitKey] = []
        if workers[claimGroup.worker] != nil { keys.append(.worker(claimGroup.worker)) }
        if queues[claimGroup.queue]?.maximumConcurrent != nil { keys.append(.queue(claimGroup.queue)) }
        return keys
    }

    func most(_ key: LimitKey) -> Int? {
        switch key {
        case .queue(let name): queues[name]?.maximumConcurrent
        case .worker(let name): workers[name]
        }
    }
}
