import BackgroundWorkModel
import Foundation
import Synchronization

/// The zones of the system's database, as Foundation reads them.
final class SystemTimeZones: TimeZones {
    private struct Zone: UTCOffsets {
        var zone: TimeZone

        func secondsFromUTC(at instant: WallTime) -> Int { zone.secondsFromGMT(for: instant.date) }
    }

    private let known = Mutex<[String: Zone]>([:])

    func zone(named name: String) -> (any UTCOffsets)? {
        if let zone = known.withLock({ $0[name] }) { return zone }
        // Whether Foundation reads past a NUL depends on which zones it has read before.
        guard !name.utf8.contains(0), let found = TimeZone(identifier: name) else { return nil }
        let zone = Zone(zone: found)
        known.withLock { $0[name] = zone }
        return zone
    }
}
