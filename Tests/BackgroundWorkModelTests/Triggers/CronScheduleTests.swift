import Foundation
import Testing

@testable import BackgroundWorkModel

struct CronScheduleTests {
    private let utc = CronZone("GMT")

    @Test(
        "known schedules name the times that people expect",
        arguments: [
            ("* * * * *", ["2025-01-31 10:08 +0000", "2025-01-31 10:09 +0000"]),
            ("*/5 * * * *", ["2025-01-31 10:10 +0000", "2025-01-31 10:15 +0000"]),
            ("10-40/10 * * * *", ["2025-01-31 10:10 +0000", "2025-01-31 10:20 +0000"]),
            ("5/25 10,12 * * *", ["2025-01-31 10:30 +0000", "2025-01-31 10:55 +0000", "2025-01-31 12:05 +0000"]),
            ("7 10 * * *", ["2025-02-01 10:07 +0000"]),
            ("0 9-17 * * MON-FRI", ["2025-01-31 11:00 +0000", "2025-01-31 12:00 +0000"]),
            ("0 8 * * SAT-SUN", ["2025-02-01 08:00 +0000", "2025-02-02 08:00 +0000", "2025-02-08 08:00 +0000"]),
            ("0 0 1 */3 *", ["2025-04-01 00:00 +0000", "2025-07-01 00:00 +0000"]),
            ("0 0 31 * *", ["2025-03-31 00:00 +0000", "2025-05-31 00:00 +0000", "2025-07-31 00:00 +0000"]),
            ("@yearly", ["2026-01-01 00:00 +0000", "2027-01-01 00:00 +0000"]),
            ("@annually", ["2026-01-01 00:00 +0000"]),
            ("@monthly", ["2025-02-01 00:00 +0000", "2025-03-01 00:00 +0000"]),
            ("@weekly", ["2025-02-02 00:00 +0000", "2025-02-09 00:00 +0000"]),
            ("@daily", ["2025-02-01 00:00 +0000"]),
            ("@Midnight", ["2025-02-01 00:00 +0000"]),
            ("@hourly", ["2025-01-31 11:00 +0000"]),
        ])
    func knownTimes(schedule: String, expected: [String]) throws {
        let friday = utc.instant(2025, 1, 31, 10, 7)
        #expect(try utc.times(schedule, after: friday, count: expected.count) == expected)
    }

    @Test("if both day fields are restricted, a day that matches either one counts")
    func eitherDay() throws {
        let start = utc.instant(2025, 6, 1)
        #expect(
            try utc.times("0 12 13 * FRI", after: start, count: 4) == [
                "2025-06-06 12:00 +0000", "2025-06-13 12:00 +0000", "2025-06-20 12:00 +0000", "2025-06-27 12:00 +0000",
            ])
        #expect(
            try utc.times("0 12 14 * FRI", after: utc.instant(2025, 6, 13, 13), count: 2) == [
                "2025-06-14 12:00 +0000", "2025-06-20 12:00 +0000",
            ])
    }

    @Test("a day field that begins with a star does not restrict, so both must match")
    func bothDays() throws {
        #expect(
            try utc.times("0 12 */2 * FRI", after: utc.instant(2025, 6, 1), count: 2) == [
                "2025-06-13 12:00 +0000", "2025-06-27 12:00 +0000",
            ])
    }

    @Test("the result is after the instant, also when that is between two seconds or before 1970")
    func betweenSeconds() throws {
        let schedule = try CronSchedule(parsing: "* * * * *")
        #expect(schedule.next(after: WallTime(milliseconds: 59_999), in: utc)?.milliseconds == 60_000)
        #expect(schedule.next(after: WallTime(milliseconds: 60_000), in: utc)?.milliseconds == 120_000)
        #expect(schedule.next(after: WallTime(milliseconds: -1), in: utc)?.milliseconds == 0)
        #expect(schedule.next(after: WallTime(milliseconds: -60_001), in: utc)?.milliseconds == -60_000)
    }

    @Test("the earliest and latest dates have no next time and do not crash")
    func farEnds() throws {
        let schedule = try CronSchedule(parsing: "* * * * *")
        #expect(schedule.next(after: WallTime(milliseconds: .max), in: utc) == nil)
        #expect(schedule.next(after: WallTime(milliseconds: .min), in: utc) == nil)
    }

    @Test("a schedule for a leap day skips years without one")
    func leapDays() throws {
        #expect(
            try utc.times("0 0 29 2 *", after: utc.instant(2096, 1, 1), count: 2) == [
                "2096-02-29 00:00 +0000", "2104-02-29 00:00 +0000",
            ])
        #expect(
            try utc.times("* * 29 FEB *", after: utc.instant(2096, 2, 29, 23, 58), count: 2) == [
                "2096-02-29 23:59 +0000", "2104-02-29 00:00 +0000",
            ])
        // A Sunday, by */7; the longest wait there is.
        #expect(
            try utc.times("0 0 29 2 */7", after: utc.instant(2088, 1, 1), count: 2) == [
                "2088-02-29 00:00 +0000", "2128-02-29 00:00 +0000",
            ])
    }

    @Test(
        "a schedule whose days no calendar has never fires",
        arguments: ["0 0 31 2 *", "0 0 30 FEB *", "* * 31 2,4,6,9,11 *", "0 0 30-31 2 */2"])
    func neverFires(text: String) throws {
        let schedule = try CronSchedule(parsing: text)
        #expect(schedule.neverFires)
        #expect(schedule.next(after: utc.instant(2025, 1, 1), in: utc) == nil)
    }

    @Test(
        "a schedule that has its day at least once in 400 years fires",
        arguments: ["0 0 29 2 *", "0 0 30 2 MON", "0 0 31 2-3 *", "0 0 29 2 */7", "0 0 */31 2 *"])
    func fires(text: String) throws {
        let schedule = try CronSchedule(parsing: text)
        #expect(!schedule.neverFires)
        #expect(schedule.next(after: utc.instant(2025, 1, 1), in: utc) != nil)
    }

    @Test("months are those of the Gregorian calendar")
    func calendar() {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for day in stride(from: Int64(-100_000), through: 400_000, by: 17) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400)
            let expected = calendar.dateComponents([.year, .month, .day], from: date)
            let (month, dayOfMonth) = CivilMonth.containing(day: day)
            #expect(Int(month.year) == expected.year)
            #expect(month.month == expected.month)
            #expect(dayOfMonth == expected.day)
            #expect(month.firstDay + Int64(dayOfMonth) - 1 == day)
            #expect(month.next.firstDay == month.firstDay + Int64(month.length))
        }
    }
}
