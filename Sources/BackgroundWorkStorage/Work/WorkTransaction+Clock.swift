import BackgroundWorkModel

extension WorkTransaction {
    /// The wall clock's time relative to the monotonic clock.
    package struct ClockReading: Sendable, Hashable {
        /// The wall clock's time.
        package var wall: WallTime
        /// The wall clock's time at which the machine was started, as computed now. Setting the clock moves it.
        package var startMs: Int64
        /// The boot of the machine.
        package var boot: String

        package init(wall: WallTime, uptimeMs: Int64, boot: String) {
            self.wall = wall
            startMs = wall.milliseconds - uptimeMs
            self.boot = boot
        }

        fileprivate init(wall: WallTime, startMs: Int64, boot: String) {
            self.wall = wall
            self.startMs = startMs
            self.boot = boot
        }
    }

    /// Small corrections, as a time daemon makes them, change nothing.
    private static let toleranceMs: Int64 = 1000

    /// Adjusts the due times of waiting work after the clock was set back: waits keep their length, and recurring
    /// work is planned again. Done once, by the first process on the directory that notices. Returns by how many
    /// milliseconds.
    package func adjust(to reading: ClockReading) throws -> Int64 {
        let known = try lastReading()
        try setMeta(MetaKey.clockWall, "\(reading.wall.milliseconds)")
        try setMeta(MetaKey.clockStart, "\(reading.startMs)")
        try setMeta(MetaKey.clockBoot, reading.boot)
        guard let known else { return 0 }
        // Within one boot the start time is exact; across boots only a time that went backwards is detected.
        let shift =
            known.boot == reading.boot
            ? reading.startMs - known.startMs : reading.wall.milliseconds - known.wall.milliseconds
        guard shift < -Self.toleranceMs else { return 0 }
        try shiftWaits(by: shift, oldNow: reading.wall.advanced(byMs: -shift))
        try replan(setBackMs: -shift, now: reading.wall)
        holdsChanged()
        return -shift
    }

    private func lastReading() throws -> ClockReading? {
        guard let wall = try meta(MetaKey.clockWall).flatMap({ Int64($0) }),
            let start = try meta(MetaKey.clockStart).flatMap({ Int64($0) }), let boot = try meta(MetaKey.clockBoot)
        else { return nil }
        return ClockReading(wall: WallTime(milliseconds: wall), startMs: start, boot: boot)
    }

    /// Items that wait for a delay or for another attempt, not for a calendar time.
    private func shiftWaits(by shift: Int64, oldNow: WallTime) throws {
        let waiting = try records(
            """
            SELECT \(WorkRecord.columnsOfItem) FROM due d CROSS JOIN items i ON i.seq = d.seq WHERE d.due > ?1 \
            UNION ALL \
            SELECT \(WorkRecord.columnsOfItem) FROM suspects d CROSS JOIN items i ON i.seq = d.seq WHERE d.due > ?1
            """,
            .int(oldNow.milliseconds))
        for record in waiting where record.trigger == nil || record.status.attempt > 0 {
            guard record.due != .distantFuture else { continue }
            try wait(record, until: Occurrence(planned: .distantFuture, due: record.due.advanced(byMs: shift)))
        }
    }

    private func replan(setBackMs: Int64, now: WallTime) throws {
        let recurring = try records(
            """
            SELECT \(WorkRecord.columnsOfItem) FROM recurring r CROSS JOIN items i ON i.seq = r.seq \
            WHERE i.state = 1 AND i.attempt = 0
            """)
        for record in recurring {
            guard let trigger = record.trigger, let planned = record.planned,
                let anew = settings.triggers.replanned(trigger, planned: planned, setBackMs: setBackMs, now: now)
            else { continue }
            try wait(record, until: anew)
        }
    }

    /// Moves a pending item to another time.
    private func wait(_ record: WorkRecord, until occurrence: Occurrence) throws {
        var moved = record
        moved.due = occurrence.due
        if occurrence.planned != .distantFuture { moved.planned = occurrence.planned }
        try relocate(record, to: &moved)
        summary.changed.append(record.id)
    }
}
