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

/// How quickly runs end, and so how many are worth claiming ahead of free slots: as many as the slots use up while a
/// few commits are made. Slow work is not claimed ahead; it stays where others may take it.
struct RunPace: Sendable {
    /// The most items that are claimed ahead.
    static let farthestAhead = 4096
    /// Seconds' worth of runs.
    private static let reach = 0.03
    /// Of the newest runs, in seconds; `nil` before the first.
    private var average: Double?
    /// How many runs have ended.
    private(set) var count = 0

    mutating func ran(for duration: Duration) {
        count += 1
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
        average = average.map { $0 + (seconds - $0) / 16 } ?? seconds
    }

    /// Whether a run that begins now will have ended before a commit could be made.
    var isQuick: Bool { average.map { $0 < 100e-6 } ?? false }

    /// What was claimed ahead did not get its turn.
    mutating func stalled() { average = Self.reach * 1000 }

    /// How many runs, one after the other, so many seconds are enough for; `nil` before the first.
    func runs(in seconds: Double) -> Double? { average.map { seconds / max($0, 1e-6) } }

    func ahead(slots: Int) -> Int {
        guard let runs = runs(in: Self.reach) else { return 0 }
        let wanted = Double(slots) * runs
        return wanted < 1 ? 0 : Int(min(wanted, Double(Self.farthestAhead)))
    }
}
