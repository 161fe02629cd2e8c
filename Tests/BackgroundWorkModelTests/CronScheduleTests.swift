import Foundation
import Testing

@testable import BackgroundWorkModel

struct CronScheduleTests {
    struct Zone: UTCOffsets {
        var zone: TimeZone
        init(_ name: String) throws { zone = try #require(TimeZone(identifier: name)) }
        func secondsFromUTC(at instant: WallTime) -> Int { zone.secondsFromGMT(for: instant.date) }
    }

    static func time(_ text: String) throws -> WallTime { WallTime(try Date(text, strategy: .iso8601)) }

    /// The first results after an instant, as UTC.
    func times(_ line: String, in zone: String, after start: String, count: Int) throws -> [String] {
        let schedule = try CronSchedule(parsing: line)
        let zone = try Zone(zone)
        var last = try Self.time(start)
        return try (0..<count).map { _ in
            let next = try #require(schedule.next(after: last, in: zone))
            #expect(next > last)
            last = next
            return next.date.formatted(.iso8601)
        }
    }

    @Test("fields, lists, ranges, steps and names mean what crontab(5) says")
    func grammar() throws {
        let start = "2026-11-21T10:07:30Z"
        #expect(
            try times("*/20 * * * *", in: "UTC", after: start, count: 2) == [
                "2026-11-21T10:20:00Z", "2026-11-21T10:40:00Z",
            ])
        #expect(
            try times("5,50 9-11/2 * * *", in: "UTC", after: start, count: 3) == [
                "2026-11-21T11:05:00Z", "2026-11-21T11:50:00Z", "2026-11-22T09:05:00Z",
            ])
        #expect(
            try times("0 0 1 jan-MAR *", in: "UTC", after: start, count: 2) == [
                "2027-01-01T00:00:00Z", "2027-02-01T00:00:00Z",
            ])
        #expect(try times("0 12 * * Mon", in: "UTC", after: start, count: 1) == ["2026-11-23T12:00:00Z"])
        for sunday in ["0", "7", "sun", "SUN-SUN"] {
            #expect(try times("0 12 * * \(sunday)", in: "UTC", after: start, count: 1) == ["2026-11-22T12:00:00Z"])
        }
        #expect(
            try times("10/25 * * * *", in: "UTC", after: start, count: 3) == [
                "2026-11-21T10:10:00Z", "2026-11-21T10:35:00Z", "2026-11-21T11:10:00Z",
            ])
        #expect(try times("@daily", in: "UTC", after: start, count: 1) == ["2026-11-22T00:00:00Z"])
        #expect(try times("@hourly", in: "Asia/Kathmandu", after: start, count: 1) == ["2026-11-21T10:15:00Z"])
        // Both day fields restricted: either will do.
        #expect(
            try times("0 0 1 * FRI", in: "UTC", after: start, count: 2) == [
                "2026-11-27T00:00:00Z", "2026-12-01T00:00:00Z",
            ])
        #expect(try times("0 0 29 2 *", in: "UTC", after: "2096-03-01T00:00:00Z", count: 1) == ["2104-02-29T00:00:00Z"])
    }

    @Test("a clock set forward: a daily job comes once, after the gap; a minute job goes on in real time")
    func springForward() throws {
        // Berlin, 29 March 2026: 02:00 to 03:00 is skipped, at 01:00 UTC.
        let daily = try times("30 2 * * *", in: "Europe/Berlin", after: "2026-03-28T00:00:00Z", count: 3)
        #expect(daily == ["2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"])
        let both = try times("0,30 2 * * *", in: "Europe/Berlin", after: "2026-03-28T12:00:00Z", count: 2)
        #expect(both == ["2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z"])
        let minutes = try times("*/30 * * * *", in: "Europe/Berlin", after: "2026-03-29T00:00:00Z", count: 3)
        #expect(minutes == ["2026-03-29T00:30:00Z", "2026-03-29T01:00:00Z", "2026-03-29T01:30:00Z"])
        // Samoa left out the whole of 30 December 2011.
        let samoa = try times("0 12 * * *", in: "Pacific/Apia", after: "2011-12-29T00:00:00Z", count: 3)
        #expect(samoa == ["2011-12-29T22:00:00Z", "2011-12-30T10:00:00Z", "2011-12-30T22:00:00Z"])
        // São Paulo had no midnight on 4 November 2018.
        let midnight = try times("@daily", in: "America/Sao_Paulo", after: "2018-11-03T12:00:00Z", count: 2)
        #expect(midnight == ["2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z"])
    }

    @Test("a clock set back: a daily job comes once; a minute job runs through both hours")
    func fallBack() throws {
        // Berlin, 25 October 2026: 02:00 to 03:00 comes twice, from 00:00 UTC on.
        let daily = try times("30 2 * * *", in: "Europe/Berlin", after: "2026-10-24T12:00:00Z", count: 2)
        #expect(daily == ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"])
        let minutes = try times("30 * * * *", in: "Europe/Berlin", after: "2026-10-25T00:00:00Z", count: 3)
        #expect(minutes == ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T02:30:00Z"])
        // Lord Howe Island goes back by half an hour.
        let half = try times("45 1 * * *", in: "Australia/Lord_Howe", after: "2026-04-04T00:00:00Z", count: 2)
        #expect(half == ["2026-04-04T14:45:00Z", "2026-04-05T15:15:00Z"])
    }

    @Test(
        "over a year with its changes every matching minute of an hourly line fires, and a daily line once a day",
        arguments: ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Antarctica/Troll", "Asia/Kolkata"])
    func oracle(name: String) throws {
        let zone = try Zone(name)
        let start = try Self.time("2026-01-01T00:00:00Z")
        let end = start.advanced(byMs: 366 * 86_400_000)
        var expected: [WallTime] = []
        // By brute force: each minute whose civil time matches, in real time.
        for minute in 1...(366 * 1440) {
            let time = start.advanced(byMs: Int64(minute) * 60_000)
            let civilMinute = time.milliseconds / 60_000 + Int64(zone.secondsFromUTC(at: time) / 60)
            if civilMinute % 60 == 17 { expected.append(time) }
        }
        let hourly = try CronSchedule(parsing: "17 * * * *")
        let daily = try CronSchedule(parsing: "17 2 * * *")
        var found: [WallTime] = []
        var last = start
        while let next = hourly.next(after: last, in: zone), next <= end {
            found.append(next)
            last = next
        }
        #expect(found == expected)
        var days: [Int64] = []
        last = start
        while let next = daily.next(after: last, in: zone), next <= end {
            let civil = next.milliseconds + Int64(zone.secondsFromUTC(at: next)) * 1000
            days.append(civil / 86_400_000)
            last = next
        }
        #expect(days == Array((days.first ?? 0)...(days.last ?? 0)))
        #expect(days.count >= 365)
    }

    @Test(
        "a date that the calendar does not have never fires",
        arguments: ["0 0 31 2 *", "0 0 30 FEB *", "0 0 31 4,6,9,11 *"])
    func neverFires(line: String) throws {
        let schedule = try CronSchedule(parsing: line)
        #expect(schedule.neverFires)
        #expect(schedule.next(after: WallTime(milliseconds: 0), in: try Zone("UTC")) == nil)
        #expect(try !CronSchedule(parsing: "0 0 29 2 *").neverFires)
    }

    @Test(
        "what cannot be read is refused with the field and what would be right",
        arguments: [
            ("", "five are expected"), ("* * * *", "it has 4 fields"), ("* * * * * *", "it has 6 fields"),
            ("60 * * * *", "the minute field"), ("* 25 * * *", "from 0 to 23"), ("* * 0 * *", "the day of month field"),
            ("* * * FOO *", "or JAN to DEC"), ("* * * * 8", "the day of week field"), ("*/0 * * * *", "the step"),
            ("5-1 * * * *", "ends before it begins"), ("1,,2 * * * *", "\"\" must be a number"), ("@reboot", "@daily"),
            ("- * * * *", "must be a number"), ("-1 * * * *", "must be a number"),
        ])
    func refused(line: String, words: String) {
        let error = #expect(throws: CronSyntaxError.self) { try CronSchedule(parsing: line) }
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    }
}
