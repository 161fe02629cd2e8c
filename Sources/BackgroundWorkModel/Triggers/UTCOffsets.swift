/// A time zone, as far as the rules need it: its offset from UTC at an instant.
package protocol UTCOffsets: Sendable {
    /// Seconds east of UTC.
    func secondsFromUTC(at instant: WallTime) -> Int
}

/// Finds time zones by name. Injected, since an implementation reads the system's zone files.
package protocol TimeZones: Sendable {
    /// `nil` when there is no zone of that name.
    func zone(named name: String) -> (any UTCOffsets)?
}

extension UTCOffsets {
    /// The stretches that make up the time from `start` to `end`, and a little before and after.
    ///
    /// The zone is asked once an hour, and where two answers differ the change between them is searched for. Time is
    /// divided at full hours wherever it starts, so that overlapping queries get the same answer. Two changes within
    /// one hour look like one; no zone has had such.
    func stretches(from start: Int64, to end: Int64) -> [CivilStretch] {
        let interval: Int64 = 3600
        let first = start.flooredQuotient(by: interval) * interval
        var stretches: [CivilStretch] = []
        var stretchStart = first
        var instant = first
        var offset = offset(at: first)
        while instant <= end {
            let next = instant + interval
            let nextOffset = self.offset(at: next)
            if nextOffset != offset {
                let change = change(after: instant, with: offset, notAfter: next)
                stretches.append(CivilStretch(start: stretchStart, end: change, offset: offset))
                stretchStart = change
                offset = nextOffset
            }
            instant = next
        }
        stretches.append(CivilStretch(start: stretchStart, end: instant, offset: offset))
        return stretches
    }

    /// The first second at which the offset differs.
    private func change(after instant: Int64, with offset: Int64, notAfter end: Int64) -> Int64 {
        var same = instant
        var different = end
        while different - same > 1 {
            let middle = same + (different - same) / 2
            if self.offset(at: middle) == offset { same = middle } else { different = middle }
        }
        return different
    }

    private func offset(at second: Int64) -> Int64 {
        let limit = CronSchedule.furthestOffset
        return min(max(Int64(secondsFromUTC(at: WallTime(milliseconds: second * 1000))), -limit), limit)
    }
}

/// A period during which the zone's offset does not change. All in seconds.
struct CivilStretch {
    /// From this instant (UTC) …
    let start: Int64
    /// … to the one before this.
    let end: Int64
    /// How far civil time is ahead of UTC.
    let offset: Int64
}
