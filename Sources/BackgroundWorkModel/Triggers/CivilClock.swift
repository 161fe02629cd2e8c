/// Civil time in a zone: milliseconds since 1970 as the clock on the wall counts them, and back.
struct CivilClock<Offsets: UTCOffsets> {
    static var dayMs: Int64 { 86_400_000 }

    var zone: Offsets

    func offsetMs(at instant: Int64) -> Int64 {
        Int64(zone.secondsFromUTC(at: WallTime(milliseconds: instant))) * 1000
    }

    func civil(_ instant: Int64) -> Int64 { instant + offsetMs(at: instant) }

    /// The first instant that bears this civil time; if it is skipped, the first instant after the gap.
    func instant(of civil: Int64) -> Int64 {
        // No zone is further than a day from UTC, so these two lie on either side of any change near that time.
        let (before, after) = (civil - Self.dayMs, civil + Self.dayMs)
        let offsets = [offsetMs(at: before), offsetMs(at: after)]
        let bearers = offsets.map { (civil - $0, $0) }.filter { offsetMs(at: $0.0) == $0.1 }.map(\.0)
        return bearers.min() ?? change(after: before, until: after)
    }

    /// The instant at which the offset changes, between two at which it differs.
    func change(after start: Int64, until end: Int64) -> Int64 {
        let old = offsetMs(at: start)
        var (low, high) = (start, end)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if offsetMs(at: middle) == old { low = middle } else { high = middle }
        }
        return high
    }
}
