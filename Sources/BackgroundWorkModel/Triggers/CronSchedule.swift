/// When a crontab line fires, in civil time.
///
/// Summer time, as Debian's cron has it (cron(8)): with an hour field that names hours, a time that is skipped by a
/// change forward comes at the first instant after the gap, and one that occurs twice comes once, at its first
/// occurrence; so a daily job runs once a day. With an hour field that begins with `*`, the line means "so many minutes
/// apart", and goes through both in real time.
package struct CronSchedule: Sendable, Hashable {
    private var minutes: UInt64
    private var hours: UInt64
    private var daysOfMonth: UInt64
    private var months: UInt64
    private var daysOfWeek: UInt64
    private var isEveryHour: Bool
    /// If both day fields are restricted, either one will do (crontab(5)); else both have to match.
    private var eitherDayWillDo: Bool

    private static let nicknames: [(name: String, line: String)] = [
        ("@yearly", "0 0 1 1 *"), ("@annually", "0 0 1 1 *"), ("@monthly", "0 0 1 * *"), ("@weekly", "0 0 * * 0"),
        ("@daily", "0 0 * * *"), ("@midnight", "0 0 * * *"), ("@hourly", "0 * * * *"),
    ]

    /// The calendar repeats after 400 years.
    private static let cycleDays = 146_097

    package init(parsing text: String) throws(CronSyntaxError) {
        var line = text
        let fields = text.split { $0 == " " || $0 == "\t" }
        if let first = fields.first, first.hasPrefix("@") {
            guard fields.count == 1, let known = Self.nicknames.first(where: { $0.name == first.lowercased() }) else {
                throw CronSyntaxError(
                    "\"\(text.prefix(80))\" is none of \(Self.nicknames.map(\.name).joined(separator: ", "))")
            }
            line = known.line
        }
        let parts = line.split { $0 == " " || $0 == "\t" }
        guard parts.count == 5 else {
            throw CronSyntaxError(
                "it has \(parts.count) fields, but five are expected: minute, hour, day of month, month, day of week")
        }
        minutes = try CronField.minute.values(of: parts[0])
        hours = try CronField.hour.values(of: parts[1])
        daysOfMonth = try CronField.dayOfMonth.values(of: parts[2])
        months = try CronField.month.values(of: parts[3])
        daysOfWeek = try CronField.dayOfWeek.values(of: parts[4])
        isEveryHour = parts[1].hasPrefix("*")
        eitherDayWillDo = !parts[2].hasPrefix("*") && !parts[4].hasPrefix("*")
    }

    /// Whether it names a date that the calendar does not have, such as 31 February.
    package var neverFires: Bool { firstDay(from: 0) == nil }

    /// The first time after `instant` that the line names; `nil` if it never comes. Strictly later, so feeding the
    /// results back in neither repeats nor goes back.
    package func next(after instant: WallTime, in zone: some UTCOffsets) -> WallTime? {
        let clock = CivilClock(zone: zone)
        let next =
            isEveryHour
            ? nextInRealTime(after: instant.milliseconds, clock) : nextOfFixedHours(after: instant.milliseconds, clock)
        return next.map(WallTime.init(milliseconds:))
    }

    /// Goes through the civil times that match, in order, until one of them has an instant that is late enough.
    private func nextOfFixedHours(after instant: Int64, _ clock: CivilClock<some UTCOffsets>) -> Int64? {
        // A day earlier: a zone may skip a whole day, whose times all come at its end.
        var day = Self.day(of: clock.civil(instant)) - 2
        while let matching = firstDay(from: day) {
            for minute in minutesOfDay {
                let time = clock.instant(of: Int64(matching) * 86_400_000 + Int64(minute) * 60_000)
                if time > instant { return time }
            }
            day = matching + 1
        }
        return nil
    }

    private var minutesOfDay: [Int] {
        (0..<24).filter { hours & 1 << UInt64($0) != 0 }.flatMap { hour in
            (0..<60).filter { minutes & 1 << UInt64($0) != 0 }.map { hour * 60 + $0 }
        }
    }

    /// Goes on in real time, from one change of the offset to the next.
    private func nextInRealTime(after instant: Int64, _ clock: CivilClock<some UTCOffsets>) -> Int64? {
        var from = instant + 1
        while true {
            let offset = clock.offsetMs(at: from)
            guard let civil = nextCivil(from: from + offset) else { return nil }
            let time = civil - offset
            if clock.offsetMs(at: time) == offset { return time }
            // The offset changes on the way; up to there nothing matched.
            from = clock.change(after: from, until: time)
        }
    }

    /// The first civil time from `start` on that matches, on a clock that nobody changes.
    private func nextCivil(from start: Int64) -> Int64? {
        let minuteNumber = (start + 59_999 - Self.floorRemainder(start + 59_999, 60_000)) / 60_000
        let startDay = Int(Self.floorQuotient(minuteNumber, 1440))
        var day = startDay
        while let matching = firstDay(from: day) {
            let earliest = matching == startDay ? Int(minuteNumber - Int64(startDay) * 1440) : 0
            if let minute = firstMinute(from: earliest) { return (Int64(matching) * 1440 + Int64(minute)) * 60_000 }
            day = matching + 1
        }
        return nil
    }

    private func firstMinute(from earliest: Int) -> Int? {
        (earliest..<1440).first { hours & 1 << UInt64($0 / 60) != 0 && minutes & 1 << UInt64($0 % 60) != 0 }
    }

    /// The first day from `start` on that matches, as its number; `nil` if the whole calendar has none.
    private func firstDay(from start: Int) -> Int? {
        var number = start
        while number <= start + Self.cycleDays {
            let date = CivilDate(dayNumber: number)
            if months & 1 << UInt64(date.month) == 0 {
                number = date.firstOfNextMonth.dayNumber
                continue
            }
            let isDayOfMonth = daysOfMonth & 1 << UInt64(date.day) != 0
            let isDayOfWeek = daysOfWeek & 1 << UInt64(CivilDate.dayOfWeek(number)) != 0
            if eitherDayWillDo ? isDayOfMonth || isDayOfWeek : isDayOfMonth && isDayOfWeek { return number }
            number += 1
        }
        return nil
    }

    private static func day(of civil: Int64) -> Int { Int(floorQuotient(civil, 86_400_000)) }

    private static func floorRemainder(_ number: Int64, _ divisor: Int64) -> Int64 {
        let remainder = number % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }

    private static func floorQuotient(_ number: Int64, _ divisor: Int64) -> Int64 {
        (number - floorRemainder(number, divisor)) / divisor
    }
}
