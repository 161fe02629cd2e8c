import BackgroundWorkFoundation

/// The rules that a trigger must meet to be accepted.
package struct TriggerCheck: Sendable {
    private let zones: any TimeZones
    private let minimumInterval: Duration

    /// - Parameter minimumInterval: the shortest interval that the platform allows for periodic work.
    package init(zones: any TimeZones, minimumInterval: Duration) {
        self.zones = zones
        self.minimumInterval = minimumInterval
    }

    package func check(_ trigger: TaskTrigger, now: WallTime) throws(EnqueueError) {
        switch trigger {
        case .oneTime(let delay): try RequestRules.check(delay: delay)
        case .periodic(let interval, let flex, let initialDelay, _):
            guard interval >= minimumInterval else {
                throw .intervalTooShort(interval, minimum: minimumInterval)
            }
            try RequestRules.check(delay: interval)
            guard flex >= .zero, flex <= interval else { throw .invalidFlex(flex, interval: interval) }
            try RequestRules.check(delay: initialDelay)
        case .exact(let date): try check(date, now)
        case .windowed(let earliest, let latest):
            try check(earliest, now)
            try check(latest, now)
            guard latest > earliest else { throw .emptyWindow }
        case .cron(let line, let zone): try check(cron: line, zone: zone)
        case .fileChanged(let path, let debounce):
            guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else { throw .invalidPath(path) }
            try RequestRules.check(delay: debounce)
        }
    }

    /// Dates in the past are valid, however old: the work is due at once.
    private func check(_ date: Date, _ now: WallTime) throws(EnqueueError) {
        let limit = Double(now.advanced(byMs: RequestRules.longestWaitMs).milliseconds) / 1000
        let seconds = date.timeIntervalSince1970
        guard seconds.isFinite, seconds <= limit else { throw .invalidDate }
    }

    private func check(cron line: String, zone: String) throws(EnqueueError) {
        guard zones.zone(named: zone) != nil else { throw .unknownTimeZone(zone) }
        let schedule: CronSchedule
        do {
            schedule = try CronSchedule(parsing: line)
        } catch {
            throw .invalidCron(line: line, reason: "\(error)")
        }
        if schedule.neverFires { throw .cronNeverFires(line: line) }
    }
}
