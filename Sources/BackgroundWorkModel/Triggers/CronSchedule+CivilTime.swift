extension CronSchedule {
    /// The first civil time that the schedule names, not before `civil`; nil if there is none.
    ///
    /// Civil times are seconds from the beginning of 1970 on a clock that was never changed.
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

    /// The first day that the schedule names after a day of a month.
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
        return eitherDayWillDo ? byDate.union(byWeekday) : byDate.intersection(byWeekday)
    }
}
