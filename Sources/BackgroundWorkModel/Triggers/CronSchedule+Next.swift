extension CronSchedule {
    /// No civil time is further from UTC than this, in seconds. POSIX allows 24:59:59.
    static let furthestOffset: Int64 = 25 * 3600

    /// The first time after `instant` that the schedule names; nil if it never comes.
    ///
    /// Given its own result again, it goes on: results only ever increase. It is meant for instants within the years
    /// that calendars are about; further than 100,000 years from 1970 the answer is nil.
    package func next(after instant: WallTime, in zone: some UTCOffsets) -> WallTime? {
        let second = instant.milliseconds.flooredQuotient(by: 1000)
        guard !neverFires, abs(second) < 100_000 * 366 * 86_400 else { return nil }
        return (runsEveryHour ? nextBeat(after: second, in: zone) : nextAppointment(after: second, in: zone))
            .map { WallTime(milliseconds: $0 * 1000) }
    }

    /// The first instant at which the wall shows a time that the schedule names.
    private func nextBeat(after instant: Int64, in zone: some UTCOffsets) -> Int64? {
        var earliest = instant + 1
        // Every match within the cycle of the calendar may fall into a jump of a zone; that zone has no rhythm.
        let last = instant + 400 * 366 * 86_400
        while earliest < last {
            let horizon = earliest + 2 * Self.furthestOffset
            for stretch in zone.stretches(from: earliest, to: horizon) where stretch.end > earliest {
                guard let civil = match(notBefore: max(stretch.start, earliest) + stretch.offset) else { return nil }
                if civil - stretch.offset < stretch.end { return civil - stretch.offset }
            }
            // From the horizon on no wall shows less than this, so what is before the next match can be left out.
            guard let civil = match(notBefore: horizon - Self.furthestOffset) else { return nil }
            earliest = max(horizon, civil - Self.furthestOffset)
        }
        return nil
    }

    /// The first instant at which the wall shows, for the first time, as much as a civil time that the schedule names,
    /// or more than that.
    ///
    /// "As much or more, for the first time" is the whole rule about clock changes: a time that is jumped over is
    /// reached by the jump, and one that occurs twice has been reached before. And since the highest time that the wall
    /// has shown never decreases, neither do the results.
    private func nextAppointment(after instant: Int64, in zone: some UTCOffsets) -> Int64? {
        let reached = highestCivilTime(upTo: instant, in: zone)
        guard let civil = match(notBefore: reached + 1) else { return nil }
        let latest = civil + Self.furthestOffset
        for stretch in zone.stretches(from: civil - Self.furthestOffset, to: latest)
        where civil - stretch.offset < stretch.end {
            return max(stretch.start, civil - stretch.offset)
        }
        return latest
    }

    /// The highest time that the wall has shown. It can be shown again only for as long as two offsets can differ.
    private func highestCivilTime(upTo instant: Int64, in zone: some UTCOffsets) -> Int64 {
        zone.stretches(from: instant - 2 * Self.furthestOffset, to: instant)
            .filter { $0.start <= instant }
            .reduce(.min) { max($0, min($1.end - 1, instant) + $1.offset) }
    }
}
