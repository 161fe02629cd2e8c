@testable import BackgroundWorkModel

/// A zone that no state has had: its offset changes every few hours, by all sorts of amounts.
struct ErraticZone: UTCOffsets {
    func secondsFromUTC(at instant: WallTime) -> Int {
        let minute = instant.milliseconds / 60_000
        let offsets = [0, 60, 150, -30, 840, 845, 15, -720, -720, 600]
        return offsets[Int(minute / 431) % offsets.count] * 60
    }
}
