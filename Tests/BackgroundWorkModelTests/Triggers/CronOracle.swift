import Foundation

@testable import BackgroundWorkModel

/// The rule about clock changes, applied minute by minute: it walks through real time with a list of the civil minutes
/// that have been.
///
/// It knows nothing of the way in which `CronSchedule` looks for its times, nor of its notation: a case says in Swift
/// what its text means.
struct CronOracle: Sendable, CustomStringConvertible {
    let text: String
    let minutes: Set<Int>
    let hours: Set<Int>
    /// Whether a day is named: month, day of the month, day of the week from 0, which is Sunday.
    let names: @Sendable (Int, Int, Int) -> Bool

    init(
        _ text: String, minutes: any Sequence<Int>, hours: any Sequence<Int> = 0..<24,
        names: @escaping @Sendable (Int, Int, Int) -> Bool = { _, _, _ in true }
    ) {
        self.text = text
        self.minutes = Set(Array(minutes))
        self.hours = Set(Array(hours))
        self.names = names
    }

    var description: String { text }

    /// The times from `start` on, for a number of minutes. The first two days are only read.
    func times(from start: WallTime, minutes count: Int, in zone: some UTCOffsets) -> [WallTime] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        var named: [Int: Bool] = [:]
        func matches(_ civil: Int) -> Bool {
            let day = Int((Double(civil) / 1440).rounded(.down))
            let time = civil - day * 1440
            guard minutes.contains(time % 60), hours.contains(time / 60) else { return false }
            if let known = named[day] { return known }
            let date = Date(timeIntervalSince1970: Double(day) * 86_400)
            let parts = calendar.dateComponents([.month, .day, .weekday], from: date)
            named[day] = names(parts.month!, parts.day!, parts.weekday! - 1)
            return named[day]!
        }
        var times: [WallTime] = []
        var been: Set<Int> = []
        var previous: Int?
        for index in 0..<count {
            let instant = start.advanced(byMs: Int64(index) * 60_000)
            let civil = (Int(instant.milliseconds / 1000) + zone.secondsFromUTC(at: instant)) / 60
            var fires = false
            if hours.count == 24 {
                fires = matches(civil)
            } else {
                // A jump forward passes over minutes; those have been as well.
                let first = previous.map { min($0 + 1, civil) } ?? civil
                for passed in first...civil where been.insert(passed).inserted {
                    if matches(passed) { fires = true }
                }
            }
            previous = civil
            if fires, index >= 2 * 1440 { times.append(instant) }
        }
        return times
    }
}
