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
