/// When a trigger's occurrences are due.
package struct TriggerRules: Sendable {
    private let zones: any TimeZones

    package init(zones: any TimeZones) { self.zones = zones }

    /// The first occurrence of a request that is enqueued now. The trigger has been checked.
    package func first(of trigger: TaskTrigger, delay: Duration, now: WallTime) -> Occurrence? {
        let base = now.advanced(byMs: delay.milliseconds)
        switch trigger {
        case .oneTime(let wait):
            let due = base.advanced(byMs: wait.milliseconds)
            return Occurrence(planned: due, due: due)
        case .exact(let date):
            let due = max(WallTime(date), base)
            return Occurrence(planned: WallTime(date), due: due)
        case .windowed(let earliest, let latest):
            return Occurrence(
                planned: WallTime(earliest), due: max(WallTime(earliest), base), latest: WallTime(latest))
        case .periodic(let interval, let flex, let initialDelay, let runImmediately):
            let first = base.advanced(byMs: initialDelay.milliseconds)
            if runImmediately { return Occurrence(planned: first, due: first) }
            return Self.periodic(first.advanced(byMs: interval.milliseconds), flex: flex)
        case .cron(let line, let zone): return cron(line, zone, after: base)
        case .fileChanged: return .untilTriggered
        }
    }

    /// The occurrence after one that was planned for `planned` and started at `started`; `nil` when there is none.
    ///
    /// Occurrences that were missed before `started` are not made up for: the run that started then covers them.
    package func next(of trigger: TaskTrigger, planned: WallTime, started: WallTime) -> Occurrence? {
        switch trigger {
        case .oneTime, .exact, .windowed: return nil
        case .periodic(let interval, let flex, _, _):
            let step = interval.milliseconds
            // With flex a run starts before its planned time; the next one is still a whole interval later.
            let reached = max(started.milliseconds, planned.milliseconds)
            let steps = (reached - planned.milliseconds) / step + 1
            return Self.periodic(planned.advanced(byMs: steps * step), flex: flex)
        case .cron(let line, let zone): return cron(line, zone, after: max(planned, started))
        case .fileChanged: return .untilTriggered
        }
    }

    /// The planned time to give the current occurrence, so that ``next(of:planned:started:)`` returns `first`: the
    /// first occurrence of a new plan, under which the run was not started.
    package func planned(before first: Occurrence, of trigger: TaskTrigger, now: WallTime) -> WallTime {
        switch trigger {
        case .periodic(let interval, _, _, _) where first.planned > now:
            first.planned.advanced(byMs: -interval.milliseconds)
        case .cron: now
        case .periodic, .oneTime, .exact, .windowed, .fileChanged: first.planned
        }
    }

    /// The occurrence to wait for after the clock was set back by `setBackMs`, while the one planned for `planned`
    /// waits; `nil` when it stays as it is.
    ///
    /// Periodic work never waits longer than its interval. A civil time that a small correction repeats is not run
    /// twice, as in Debian's cron; after a correction of three hours or more the occurrences are planned again.
    package func replanned(
        _ trigger: TaskTrigger, planned: WallTime, setBackMs: Int64, now: WallTime
    ) -> Occurrence? {
        switch trigger {
        case .oneTime, .exact, .windowed, .fileChanged: return nil
        case .periodic(let interval, let flex, _, _):
            let step = interval.milliseconds
            let excess = planned.milliseconds - now.milliseconds - step
            guard excess > 0 else { return nil }
            return Self.periodic(planned.advanced(byMs: -((excess + step - 1) / step * step)), flex: flex)
        case .cron(let line, let zone):
            return setBackMs >= 3 * 3_600_000 ? cron(line, zone, after: now) : nil
        }
    }

    private static func periodic(_ planned: WallTime, flex: Duration) -> Occurrence {
        Occurrence(planned: planned, due: planned.advanced(byMs: -flex.milliseconds))
    }

    private func cron(_ line: String, _ zone: String, after instant: WallTime) -> Occurrence? {
        guard let schedule = try? CronSchedule(parsing: line), let offsets = zones.zone(named: zone),
            let time = schedule.next(after: instant, in: offsets)
        else { return nil }
        return Occurrence(planned: time, due: time)
    }
}

/// One planned run of a request.
package struct Occurrence: Sendable, Hashable {
    /// The planned time; the next one counts from here.
    package var planned: WallTime
    /// When it may start.
    package var due: WallTime
    /// When it is too late to start.
    package var latest: WallTime?

    package init(planned: WallTime, due: WallTime, latest: WallTime? = nil) {
        self.planned = planned
        self.due = due
        self.latest = latest
    }

    /// An occurrence that only an external event makes due.
    package static let untilTriggered = Occurrence(planned: .distantFuture, due: .distantFuture)
}
