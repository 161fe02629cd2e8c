import BackgroundWorkModel
import BackgroundWorkStorage

/// What was claimed and has not begun: the most urgent first, and in the order of the claims.
struct RunQueue: Sendable {
    /// First in, first out; what was taken is dropped now and then.
    private struct Line {
        var work: [ClaimedWork] = []
        var taken = 0

        var nextDue: WallTime { work[taken].record.due }
    }

    /// Counts up to the one that is taken by age.
    private var sinceOldest = 0
    private var lines = Array(repeating: Line(), count: WorkPriority.allCases.count)
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ work: ClaimedWork) {
        lines[work.record.priority.rawValue].work.append(work)
        count += 1
    }

    mutating func popFirst() -> ClaimedWork? {
        guard count > 0, let index = nextLine() else { return nil }
        let work = lines[index].work[lines[index].taken]
        lines[index].taken += 1
        if lines[index].taken == lines[index].work.count {
            lines[index].work.removeAll(keepingCapacity: true)
            lines[index].taken = 0
        }
        count -= 1
        return work
    }

    /// The most urgent one; now and then that with the work that is due longest.
    private mutating func nextLine() -> Int? {
        let waiting = lines.indices.filter { lines[$0].taken < lines[$0].work.count }
        sinceOldest += 1
        guard waiting.count > 1, sinceOldest >= StarvationGuard.share else { return waiting.last }
        sinceOldest = 0
        return waiting.min { lines[$0].nextDue < lines[$1].nextDue }
    }

    /// Takes out all that `isWanted` picks.
    mutating func remove(where isWanted: (ClaimedWork) -> Bool) -> [ClaimedWork] {
        var removed: [ClaimedWork] = []
        for index in lines.indices {
            let left = lines[index].work[lines[index].taken...]
            let picked = left.filter(isWanted)
            if picked.isEmpty { continue }
            removed += picked
            lines[index] = Line(work: left.filter { !isWanted($0) })
        }
        count -= removed.count
        return removed
    }
}
