import BackgroundWorkModel
import BackgroundWorkStorage

/// The ends of time that a run may meet: its timeout, by a monotonic clock, and its deadline, by the wall clock.
struct RunAlarms: Sendable {
    private let tasks: [Task<Void, Never>]

    /// - Parameter ring: called once for each that is met.
    init(for record: WorkRecord, clock: any WorkClock, ring: @escaping @Sendable (StopReason) -> Void) {
        var tasks: [Task<Void, Never>] = []
        if let timeout = record.options.timeoutMs {
            let end = clock.uptime + .milliseconds(timeout)
            tasks.append(
                Task {
                    do { try await clock.sleep(untilUptime: end) } catch { return }
                    ring(.timeout)
                })
        }
        if let deadline = record.options.deadline {
            tasks.append(
                Task {
                    // The wall clock may be set meanwhile, so it is asked again after each part of the wait.
                    while case let left = deadline.milliseconds - WallTime(clock.now).milliseconds, left > 0 {
                        do { try await clock.sleep(for: .milliseconds(min(left, 60_000))) } catch { return }
                    }
                    ring(.deadline)
                })
        }
        self.tasks = tasks
    }

    func cancel() { for task in tasks { task.cancel() } }
}
