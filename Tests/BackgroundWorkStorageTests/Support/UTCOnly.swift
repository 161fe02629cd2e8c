import BackgroundWorkModel

/// A world with one time zone.
struct UTCOnly: TimeZones, UTCOffsets {
    func zone(named name: String) -> (any UTCOffsets)? { name == "UTC" ? self : nil }

    func secondsFromUTC(at instant: WallTime) -> Int { 0 }
}
