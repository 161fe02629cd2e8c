import BackgroundWorkModel
import BackgroundWorkStorage

/// How many slots the limits on queues and workers leave for this scheduler, and how many are in use.
///
/// Quick work is claimed beyond its limit, by the number of runs that end within a few milliseconds; those items wait
/// here for a free slot.
struct RunLimits: Sendable {
    /// Seconds' worth of runs that are claimed beyond a limit: so short that they are hardly seen in the running
    /// state.
    private static let reach = 0.005

    /// As of the newest claim pass. A key that is missing has no limit.
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

    /// The items that waited under these limits did not start.
    mutating func stalled(_ keys: [LimitKey]) {
        for key in keys { paces[key, default: RunPace()].stalled() }
    }

    /// How many runs each slot under a limit completes within `reach`.
    var ahead: [LimitKey: Double] {
        if paces.isEmpty { return [:] }
        return paces.compactMapValues { pace in pace.runs(in: Self.reach).flatMap { $0 < 1 ? nil : $0 } }
    }
}

/// How quickly runs end, and so how many items to claim ahead of free slots: as many as the slots complete while a
/// few commits are made. Slow work is not claimed ahead; it stays available to other schedulers.
struct RunPace: Sendable {
    /// The most items that are claimed ahead.
    static let farthestAhead = 4096
    /// Seconds' worth of runs.
    private static let reach = 0.03
    /// The average duration of the newest runs, in seconds; `nil` before the first.
    private var average: Double?
    /// How many runs have ended.
    private(set) var count = 0

    mutating func ran(for duration: Duration) {
        count += 1
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
        average = average.map { $0 + (seconds - $0) / 16 } ?? seconds
    }

    /// Whether a run that starts now will end before a commit could be made.
    var isQuick: Bool { average.map { $0 < 100e-6 } ?? false }

    /// The claimed-ahead items did not start.
    mutating func stalled() { average = Self.reach * 1000 }

    /// How many consecutive runs fit into this many seconds; `nil` before the first run.
    func runs(in seconds: Double) -> Double? { average.map { seconds / max($0, 1e-6) } }

    func ahead(slots: Int) -> Int {
        guard let runs = runs(in: Self.reach) else { return 0 }
        let wanted = Double(slots) * runs
        return wanted < 1 ? 0 : Int(min(wanted, Double(Self.farthestAhead)))
    }
}
