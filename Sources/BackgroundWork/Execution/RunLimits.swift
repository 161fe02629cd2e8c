import BackgroundWorkModel
import BackgroundWorkStorage

/// What the limits on queues and workers leave for this scheduler, and how much of it is in use.
///
/// Quick work is claimed beyond its limit, a few milliseconds' worth of it; here it waits for its turn.
struct RunLimits: Sendable {
    /// Seconds' worth of runs that are claimed beyond a limit: so little that nobody sees it stand as running.
    private static let reach = 0.005

    /// By the newest look at the waiting work. What is not among them has no limit.
    var permits: [LimitKey: Int] = [:]
    private var active: [LimitKey: Int] = [:]
    private var paces: [LimitKey: RunPace] = [:]

    func mayBegin(_ work: ClaimedWork) -> Bool {
        for key in work.limits {
            if let permits = permits[key], active[key, default: 0] >= permits { return false }
        }
        return true
    }

    mutating func began(_ work: ClaimedWork) {
        for key in work.limits { active[key, default: 0] += 1 }
    }

    mutating func ended(_ work: ClaimedWork, after elapsed: Duration) {
        for key in work.limits {
            active[key, default: 0] -= 1
            paces[key, default: RunPace()].ran(for: elapsed)
        }
    }

    /// What waited under these did not get its turn.
    mutating func stalled(_ keys: [LimitKey]) {
        for key in keys { paces[key, default: RunPace()].stalled() }
    }

    /// How many runs each place under a limit uses up within moments.
    var ahead: [LimitKey: Double] {
        if paces.isEmpty { return [:] }
        return paces.compactMapValues { pace in pace.runs(in: Self.reach).flatMap { $0 < 1 ? nil : $0 } }
    }
}
