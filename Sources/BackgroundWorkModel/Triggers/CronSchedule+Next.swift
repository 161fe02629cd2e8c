extension CronSchedule {
    /// No civil time is further from UTC than this, in seconds. POSIX allows 24:59:59.
    static let furthestOffset: Int64 = 25 * 3600

    /// The first time after `instant` that the schedule matches; nil if there is none.
    ///
    /// Given its own result, it continues: results only ever increase. It is meant for years that calendars cover;
    /// further than 100,000 years from 1970 the answer is nil.
    package func next(after instant: WallTime, in zone: some UTCOffsets) -> WallTime? {
        let second = instant.milliseconds.flooredQuotient(by: 1000)
        guard !neverFires, abs(second) < 100_000 * 366 * 86_400 else { return nil }
        return (runsEveryHour ? nextInEveryHour(after: second, in: zone) : nextAtFixedHours(after: second, in: zone))
            .map { WallTime(milliseconds: $0 * 1000) }
    }

    /// The first instant whose civil time the schedule matches.
    private func nextInEveryHour(after instant: Int64, in zone: some UTCOffsets) -> Int64? {
        var earliest = instant + 1
        // Every match within the calendar's cycle may fall into a clock jump of the zone; the result is nil then.
        let last = instant + 400 * 366 * 86_400
        while earliest < last {
            let horizon = earliest + 2 * Self.furthestOffset
            for stretch in zone.stretches(from: earliest, to: horizon) where stretch.end > earliest {
                guard let civil = match(notBefore: max(stretch.start, earliest) + stretch.offset) else { return nil }
                if civil - stretch.offset < stretch.end { return civil - stretch.offset }
            }
            // From the horizon on no civil time is less than this, so times before the next match can be skipped.
            guard let civil = match(notBefore: horizon - Self.furthestOffset) else { return nil }
            earliest = max(horizon, civil - Self.furthestOffset)
        }
        return nil
    }

    /// The first instant at which the civil time reaches, for the first time, a civil time that the schedule matches,
    /// or passes it.
    ///
    /// "Reaches or passes, for the first time" is the whole rule about clock changes: a time that is skipped is
    /// passed by the jump, and one that occurs twice has been reached before. And since the highest civil time so far
    /// never decreases, neither do the results.
    private func nextAtFixedHours(after instant: Int64, in zone: some UTCOffsets) -> Int64? {
        let reached = highestCivilTime(upTo: instant, in: zone)
        guard let civil = match(notBefore: reached + 1) else { return nil }
        let latest = civil + Self.furthestOffset
        for stretch in zone.stretches(from: civil - Self.furthestOffset, to: latest)
        where civil - stretch.offset < stretch.end {
            return max(stretch.start, civil - stretch.offset)
        }
        return latest
    }

    /// The highest civil time so far. It can occur again only for as long as two offsets can differ.
    private func highestCivilTime(upTo instant: Int64, in zone: some UTCOffsets) -> Int64 {
        zone.stretches(from: instant - 2 * Self.furthestOffset, to: instant)
            .filter { $0.start <= instant }
            .reduce(.min) { max($0, min($1.end - 1, instant) + $1.offset) }
    }
}

extension CronSchedule {
    /// The first civil time that the schedule matches, not before `civil`; nil if there is none.
    ///
    /// Civil times are seconds since the start of 1970 on a clock that was never changed.
    func match(notBefore civil: Int64) -> Int64? {
        guard let firstHour = hours.first(), let firstMinute = minutes.first() else { return nil }
        let minute = -(-civil).flooredQuotient(by: 60)
        let day = minute.flooredQuotient(by: 1440)
        let (month, dayOfMonth) = CivilMonth.containing(day: day)
        if days(in: month).contains(dayOfMonth), let time = time(notBefore: Int(minute - day * 1440)) {
            return (day * 1440 + Int64(time)) * 60
        }
        guard let next = self.day(after: dayOfMonth, in: month) else { return nil }
        return (next * 1440 + Int64(firstHour * 60 + firstMinute)) * 60
    }

    /// The first time of day, in minutes, that is not before `minute`.
    private func time(notBefore minute: Int) -> Int? {
        let (hour, minute) = minute.quotientAndRemainder(dividingBy: 60)
        if hours.contains(hour), let match = minutes.first(from: minute) { return hour * 60 + match }
        guard let nextHour = hours.first(from: hour + 1), let firstMinute = minutes.first() else { return nil }
        return nextHour * 60 + firstMinute
    }

    /// The first day that the schedule matches after a day of a month.
    private func day(after dayOfMonth: Int, in month: CivilMonth) -> Int64? {
        guard !neverFires else { return nil }
        var month = month
        var earliest = dayOfMonth + 1
        // The calendar repeats after 400 years, weekdays included. The longest real wait is 40 years, for a leap day
        // on one day of the week.
        for _ in 0...(400 * 12) {
            if let day = days(in: month).first(from: earliest) { return month.firstDay + Int64(day - 1) }
            month = month.next
            earliest = 1
        }
        return nil
    }

    private func days(in month: CivilMonth) -> CronValues {
        guard months.contains(month.month) else { return CronValues() }
        let all = CronValues(1...month.length)
        let byDate = daysOfMonth.intersection(all)
        let firstDay = month.firstDay
        // The first of January 1970 was a Thursday.
        let firstWeekday = Int(firstDay + 4 - (firstDay + 4).flooredQuotient(by: 7) * 7)
        var byWeekday = CronValues()
        for day in 1...month.length where daysOfWeek.contains((firstWeekday + day - 1) % 7) { byWeekday.insert(day) }
        return matchesEitherDay ? byDate.union(byWeekday) : byDate.intersection(byWeekday)
    }
}
