import Foundation

@testable import BackgroundWorkModel

/// A time zone of the system.
struct CronZone: UTCOffsets, CustomStringConvertible {
    let zone: TimeZone

    init(_ identifier: String) { zone = TimeZone(identifier: identifier)! }

    var description: String { zone.identifier }

    func secondsFromUTC(at instant: WallTime) -> Int { zone.secondsFromGMT(for: instant.date) }

    /// The instant at which the wall shows this first, or, if it never does, one near it.
    func instant(_ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0) -> WallTime {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let components = DateComponents(year: year, month: month, day: day, hour: hour, minute: minute)
        return WallTime(calendar.date(from: components)!)
    }

    /// What the wall shows, with the offset, such as `2025-11-02 01:30 -0400`.
    func text(_ instant: WallTime?) -> String? {
        guard let instant else { return nil }
        let offset = secondsFromUTC(at: instant)
        let minutes = abs(offset) / 60
        let civil = Date(timeIntervalSince1970: instant.date.timeIntervalSince1970 + Double(offset))
        return civil.formatted(
            .iso8601.year().month().day().dateTimeSeparator(.space).time(includingFractionalSeconds: false)
        )
        .dropLast(3)
            + String(format: " %@%02d%02d", offset < 0 ? "-" : "+", minutes / 60, minutes % 60)
    }

    /// The first few times of a schedule.
    func times(_ text: String, after start: WallTime, count: Int) throws -> [String] {
        let schedule = try CronSchedule(parsing: text)
        var instant = start
        var times: [String] = []
        while times.count < count, let next = schedule.next(after: instant, in: self) {
            times.append(self.text(next)!)
            instant = next
        }
        return times
    }
}
