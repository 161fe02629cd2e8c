import Foundation
import Testing

@testable import BackgroundWorkModel

struct CronClockChangeTests {
    @Test("a fixed time that the clock skips runs once, right after the skipped hour")
    func jumpForward() throws {
        let zone = CronZone("America/New_York")
        #expect(
            try zone.times("30 2 * * *", after: zone.instant(2025, 3, 8, 12), count: 2) == [
                "2025-03-09 03:00 -0400", "2025-03-10 02:30 -0400",
            ])
        #expect(
            try zone.times("*/10 2,3 * * *", after: zone.instant(2025, 3, 8, 3, 50), count: 3) == [
                "2025-03-09 03:00 -0400", "2025-03-09 03:10 -0400", "2025-03-09 03:20 -0400",
            ])
    }

    @Test("a fixed time that occurs twice runs the first time only")
    func jumpBack() throws {
        let zone = CronZone("America/New_York")
        #expect(
            try zone.times("30 1 * * *", after: zone.instant(2025, 11, 1, 12), count: 2) == [
                "2025-11-02 01:30 -0400", "2025-11-03 01:30 -0500",
            ])
        // Asked between the two, also if the first was missed.
        let between = WallTime(milliseconds: zone.instant(2025, 11, 2, 1, 30).milliseconds + 1_800_000)
        #expect(try zone.times("30 1 * * *", after: between, count: 1) == ["2025-11-03 01:30 -0500"])
    }

    @Test("an every-hour schedule follows local time through a skipped hour and a repeated one")
    func rhythm() throws {
        let zone = CronZone("America/New_York")
        #expect(
            try zone.times("*/30 * * * *", after: zone.instant(2025, 3, 9, 1, 10), count: 3) == [
                "2025-03-09 01:30 -0500", "2025-03-09 03:00 -0400", "2025-03-09 03:30 -0400",
            ])
        #expect(
            try zone.times("*/30 * * * *", after: zone.instant(2025, 11, 2, 0, 40), count: 5) == [
                "2025-11-02 01:00 -0400", "2025-11-02 01:30 -0400", "2025-11-02 01:00 -0500", "2025-11-02 01:30 -0500",
                "2025-11-02 02:00 -0500",
            ])
    }

    @Test("a day that a time zone skips is made up for at the beginning of the next day")
    func dayLeftOut() throws {
        let zone = CronZone("Pacific/Apia")
        #expect(
            try zone.times("0 12 * * *", after: zone.instant(2011, 12, 29, 11), count: 3) == [
                "2011-12-29 12:00 -1000", "2011-12-31 00:00 +1400", "2011-12-31 12:00 +1400",
            ])
        #expect(
            try zone.times("0 12 30 12 *", after: zone.instant(2011, 12, 1), count: 2) == [
                "2011-12-31 00:00 +1400", "2012-12-30 12:00 +1400",
            ])
        #expect(try zone.times("0 * 30 12 *", after: zone.instant(2011, 12, 1), count: 1) == ["2012-12-30 00:00 +1400"])
    }

    @Test("a midnight that does not exist runs at one o'clock")
    func midnightLeftOut() throws {
        let saoPaulo = CronZone("America/Sao_Paulo")
        #expect(
            try saoPaulo.times("@daily", after: saoPaulo.instant(2018, 11, 3, 12), count: 2) == [
                "2018-11-04 01:00 -0200", "2018-11-05 00:00 -0200",
            ])
        let beirut = CronZone("Asia/Beirut")
        #expect(
            try beirut.times("0 0 27 3 *", after: beirut.instant(2022, 3, 1), count: 1) == ["2022-03-27 01:00 +0300"])
    }

    /// A day on which each of these zones changed its clock, in civil time.
    private static let changes: [(String, Int, Int, Int)] = [
        ("America/New_York", 2025, 3, 9), ("America/New_York", 2025, 11, 2), ("Europe/Berlin", 2025, 3, 30),
        ("Europe/Berlin", 2025, 10, 26), ("Australia/Lord_Howe", 2025, 4, 6), ("Australia/Lord_Howe", 2025, 10, 5),
        ("Asia/Kathmandu", 1986, 1, 1), ("Pacific/Apia", 2011, 12, 30), ("Antarctica/Troll", 2025, 3, 30),
        ("Antarctica/Troll", 2025, 10, 26), ("America/Sao_Paulo", 2018, 11, 4), ("America/Sao_Paulo", 2018, 2, 18),
        ("Asia/Beirut", 2022, 3, 27), ("Asia/Beirut", 2022, 10, 30), ("Pacific/Kwajalein", 1993, 8, 21),
        ("Asia/Pyongyang", 2018, 5, 5), ("America/Caracas", 2007, 12, 9), ("Pacific/Auckland", 2025, 9, 28),
        ("Africa/Casablanca", 2025, 2, 23), ("Pacific/Chatham", 2025, 4, 6), ("Asia/Kolkata", 2025, 6, 1),
    ]

    private static let schedules: [CronOracle] = [
        CronOracle("* * * * *", minutes: 0..<60),
        CronOracle("*/15 * * * *", minutes: [0, 15, 30, 45]),
        CronOracle("@hourly", minutes: [0]),
        CronOracle("7,37 * * * SUN", minutes: [7, 37]) { _, _, weekday in weekday == 0 },
        CronOracle("30 2 * * *", minutes: [30], hours: [2]),
        CronOracle("@daily", minutes: [0], hours: [0]),
        CronOracle("*/20 1-3 * * *", minutes: [0, 20, 40], hours: 1...3),
        CronOracle("* 0-22 * * *", minutes: 0..<60, hours: 0...22),
        CronOracle("15 */2 * * *", minutes: [15], hours: stride(from: 0, to: 24, by: 2)),
        CronOracle("59 23 * * *", minutes: [59], hours: [23]),
        CronOracle("30 1 1-10 * SUN", minutes: [30], hours: [1]) { _, day, weekday in day <= 10 || weekday == 0 },
        CronOracle("0 0,12 30 12 *", minutes: [0], hours: [0, 12]) { month, day, _ in month == 12 && day == 30 },
        CronOracle("45 1-2 */2 * *", minutes: [45], hours: [1, 2]) { _, day, _ in day % 2 == 1 },
    ]

    @Test("around a daylight saving change every local minute runs as the rule says", arguments: changes)
    func comparison(change: (zone: String, year: Int, month: Int, day: Int)) throws {
        let zone = CronZone(change.zone)
        let start = zone.instant(change.year, change.month, change.day).advanced(byMs: -4 * 86_400_000)
        for oracle in Self.schedules { try compare(oracle, from: start, days: 8, in: zone) }
    }

    @Test("a time zone that changes its clock twice within hours is handled")
    func erraticZone() throws {
        for oracle in Self.schedules {
            try compare(oracle, from: WallTime(milliseconds: 1_736_000_040_000), days: 12, in: ErraticZone())
        }
    }

    @Test("a nightly schedule runs once for each day of a year, despite daylight saving changes", arguments: changes)
    func oneForEachDay(change: (zone: String, year: Int, month: Int, day: Int)) throws {
        let zone = CronZone(change.zone)
        let schedule = try CronSchedule(parsing: "30 2 * * *")
        let end = zone.instant(change.year + 1, 7, 1, 12)
        var count = 0
        var instant = zone.instant(change.year, 7, 1, 12).advanced(byMs: -365 * 86_400_000)
        let first = instant
        while let next = schedule.next(after: instant, in: zone), next <= end {
            try #require(next > instant)
            instant = next
            count += 1
        }
        // Counted on the wall, not in real time: the day that was left out has its run as well.
        let civil = [first, end].map { $0.milliseconds / 1000 + Int64(zone.secondsFromUTC(at: $0)) }
        #expect(count == Int((civil[1] - civil[0] + 43_200) / 86_400))
    }

    private func compare(_ oracle: CronOracle, from start: WallTime, days: Int, in zone: some UTCOffsets) throws {
        let expected = oracle.times(from: start, minutes: days * 1440, in: zone)
        let schedule = try CronSchedule(parsing: oracle.text)
        let first = start.advanced(byMs: 2 * 86_400_000 - 1)
        let end = start.advanced(byMs: Int64(days) * 86_400_000)
        var found: [WallTime] = []
        var instant = first
        while let next = schedule.next(after: instant, in: zone), next < end {
            try #require(next > instant)
            found.append(next)
            instant = next
        }
        #expect(found == expected, "\(oracle) in \(zone)")
        // And from anywhere in between.
        for offset in stride(from: Int64(0), to: Int64(days - 3) * 86_400_000, by: 37 * 60_000 + 11) {
            let instant = first.advanced(byMs: offset)
            guard let next = expected.first(where: { $0 > instant }) else { break }
            #expect(schedule.next(after: instant, in: zone) == next, "\(oracle) in \(zone) after \(instant)")
        }
    }
}
