import BackgroundWorkModel
import BackgroundWorkStorage

/// Claimed items that have not started: by priority, and in the order of the claims.
///
/// The claims of one commit are stored as they are, whatever their number, so that the lock around this queue is held
/// only briefly.
struct RunQueue: Sendable {
    /// First in, first out.
    private struct Line {
        var claims: [ArraySlice<ClaimedWork>] = []
        /// The claims before this index are used.
        var first = 0

        var isEmpty: Bool { first == claims.count }

        var nextDue: WallTime { claims[first].first?.record.due ?? .distantFuture }

        mutating func popFirst() -> ClaimedWork? {
            guard first < claims.count else { return nil }
            let work = claims[first].popFirst()
            if claims[first].isEmpty {
                claims[first] = []
                first += 1
                dropUsed()
            }
            return work
        }

        /// Also compacts a line that is never empty; moves each claim at most once on average.
        private mutating func dropUsed() {
            guard first == claims.count || first >= 64 && first * 2 >= claims.count else { return }
            claims.removeFirst(first)
            first = 0
        }
    }

    /// Items that were next while their limits had no free slot.
    private struct HeldBack {
        var priority: Int
        var limits: [LimitKey]
        var work: ArraySlice<ClaimedWork> = []
        /// Whether an item of this group has started, or was added, since the last call of `removeStalled`.
        var hasMoved = true
    }

    /// How many commits' claims are kept, the used ones included.
    var keptClaims: Int { lines.reduce(0) { $0 + $1.claims.count } }

    /// The claimed work of one commit and one priority.
    struct Claims: Sendable {
        fileprivate var byPriority: [(priority: Int, work: ArraySlice<ClaimedWork>)] = []
        var count: Int { byPriority.reduce(0) { $0 + $1.work.count } }

        init(_ work: [ClaimedWork]) {
            guard let first = work.first?.record.priority else { return }
            if work.allSatisfy({ $0.record.priority == first }) {
                byPriority = [(first.rawValue, work[...])]
                return
            }
            for priority in WorkPriority.allCases {
                let part = work.filter { $0.record.priority == priority }
                if !part.isEmpty { byPriority.append((priority.rawValue, part[...])) }
            }
        }
    }

    /// Counts the items taken since the oldest one was last preferred.
    private var sinceOldest = 0
    private var lines = Array(repeating: Line(), count: WorkPriority.allCases.count)
    private var heldBack: [HeldBack] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ claims: Claims) {
        for (priority, work) in claims.byPriority {
            lines[priority].claims.append(work)
            count += work.count
        }
    }

    /// The next item that may start.
    mutating func popFirst(within limits: RunLimits = RunLimits()) -> ClaimedWork? {
        if isEmpty { return nil }
        while true {
            let line = nextLine()
            if let work = popHeldBack(atLeast: line ?? 0, within: limits) {
                count -= 1
                return work
            }
            guard let line, let work = lines[line].popFirst() else { return nil }
            if limits.mayBegin(work) {
                count -= 1
                return work
            }
            holdBack(work, line)
        }
    }

    private mutating func holdBack(_ work: ClaimedWork, _ priority: Int) {
        if let index = heldBack.firstIndex(where: { $0.priority == priority && $0.limits == work.limits }) {
            heldBack[index].work.append(work)
        } else {
            heldBack.append(HeldBack(priority: priority, limits: work.limits, work: [work]))
        }
    }

    /// A held-back item that may start now, if its priority is at least this: it has waited longer than the items in
    /// line.
    private mutating func popHeldBack(atLeast priority: Int, within limits: RunLimits) -> ClaimedWork? {
        var best: Int?
        for index in heldBack.indices where heldBack[index].priority >= priority {
            guard let first = heldBack[index].work.first, limits.mayBegin(first) else { continue }
            if let known = best, heldBack[known].priority >= heldBack[index].priority { continue }
            best = index
        }
        guard let best, let work = heldBack[best].work.popFirst() else { return nil }
        heldBack[best].hasMoved = true
        if heldBack[best].work.isEmpty { heldBack.remove(at: best) }
        return work
    }

    /// Removes the items held back by limits under which nothing has started since the last call.
    mutating func removeStalled() -> [ClaimedWork] {
        let stalled = heldBack.filter { !$0.hasMoved }
        heldBack.removeAll { !$0.hasMoved }
        for index in heldBack.indices { heldBack[index].hasMoved = false }
        let removed = stalled.flatMap(\.work)
        count -= removed.count
        return removed
    }

    /// The line with the highest priority; now and then the one with the oldest due work.
    private mutating func nextLine() -> Int? {
        sinceOldest += 1
        guard let urgent = lines.lastIndex(where: { !$0.isEmpty }) else { return nil }
        guard sinceOldest >= StarvationGuard.share, lines[..<urgent].contains(where: { !$0.isEmpty }) else {
            return urgent
        }
        sinceOldest = 0
        return lines.indices.filter { !lines[$0].isEmpty }.min { lines[$0].nextDue < lines[$1].nextDue }
    }

    /// Removes all items that `isWanted` selects.
    mutating func remove(where isWanted: (ClaimedWork) -> Bool) -> [ClaimedWork] {
        var removed: [ClaimedWork] = []
        for index in lines.indices where !lines[index].isEmpty {
            let waiting = lines[index].claims[lines[index].first...].joined()
            let picked = waiting.filter(isWanted)
            if picked.isEmpty { continue }
            let left = waiting.filter { !isWanted($0) }
            removed += picked
            lines[index] = Line(claims: left.isEmpty ? [] : [left[...]])
        }
        for index in heldBack.indices {
            let picked = heldBack[index].work.filter(isWanted)
            if picked.isEmpty { continue }
            removed += picked
            heldBack[index].work.removeAll(where: isWanted)
        }
        heldBack.removeAll(where: \.work.isEmpty)
        count -= removed.count
        return removed
    }
}
