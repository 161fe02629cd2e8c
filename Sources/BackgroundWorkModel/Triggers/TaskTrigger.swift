import BackgroundWorkFoundation

/// When a request becomes due.
public enum TaskTrigger: Sendable, Hashable, Codable {
    /// Once, `delay` after it was enqueued. The delay also passes while no process is running. A clock that is set
    /// back does not prolong it.
    case oneTime(delay: Duration = .zero)
    /// Repeatedly, at planned times that are `interval` apart: a run that started late or took long does not shift
    /// the next one. Runs that were missed while no process was running are made up for by one run.
    ///
    /// - `interval`: at least 1 s on Linux, 15 min where iOS enforces that.
    /// - `flex`: a run may start up to this long before its planned time; at most `interval`.
    /// - `initialDelay`: counted from enqueueing to the first planned time.
    /// - `runImmediately`: when `false`, one `interval` passes before the first run as well.
    case periodic(
        interval: Duration, flex: Duration = .zero, initialDelay: Duration = .zero, runImmediately: Bool = true)
    /// Once, at this instant on the wall clock; at once if it has passed.
    case exact(Date)
    /// Once, between the two instants. If it could not start by `latest`, it is skipped, with an event.
    case windowed(earliest: Date, latest: Date)
    /// By a crontab line of five fields, or `@daily` and similar words, in the civil time of a zone such as
    /// `"Europe/Berlin"`. Docs/scheduling.md says what happens when clocks are changed for summer time.
    case cron(String, timeZone: String = "UTC")
    /// Each time the file or folder changes, `debounce` after the last change. Changes that happen while it runs, or
    /// while no process is running, cause one more run.
    case fileChanged(path: String, debounce: Duration = .milliseconds(500))

    /// Whether there is another occurrence after one has ended.
    package var recurs: Bool {
        switch self {
        case .oneTime, .exact, .windowed: false
        case .periodic, .cron, .fileChanged: true
        }
    }

    /// The file or folder whose change it waits for.
    package var watchedPath: String? {
        if case .fileChanged(let path, _) = self { path } else { nil }
    }
}
