import BackgroundWorkExchange
import BackgroundWorkModel
import BackgroundWorkTransfers

/// The wakes that hosts have requested, as recorded in the journal, and the waiting for them.
final class WakeTimetable {
    let alarm: WakeAlarm
    private let monitor: DeviceMonitor
    private let files: FileMonitor
    private let clock: () -> WallTime
    private var schedule: WakeSchedule
    private var connected: Set<String> = []
    /// The stores whose files are watched; `nil` when their list of files has changed since.
    private var followed: Set<String>?
    /// Files that had changed when their host connected, and for which it has not set new wakes yet.
    private var changedBefore: Set<FileWakeRequest> = []

    init(
        wakes: [String: WakeList], device: any DeviceWatching, wake: WakeDescriptor,
        clock: @escaping () -> WallTime = WallTime.now
    ) throws {
        alarm = try WakeAlarm()
        monitor = DeviceMonitor(device: device, wake: wake)
        files = FileMonitor(wake: wake)
        schedule = WakeSchedule(wakes: wakes)
        self.clock = clock
    }

    var isEmpty: Bool { schedule.isEmpty }

    private var changed: Set<FileWakeRequest> { files.observation.changed.union(changedBefore) }

    /// What is due now, with hosts of these stores connected.
    func standing(connected: Set<String>) -> WakeStanding {
        self.connected = connected
        let stores = schedule.storesWithFiles(connected: connected)
        if stores != followed {
            followed = stores
            changedBefore.formUnion(files.observation.changed)
            let awaited = schedule.files(of: stores)
            files.follow(awaited)
            // Those are checked again.
            changedBefore.subtract(awaited)
        }
        return schedule.standing(now: clock(), device: monitor.state, files: files.observation, connected: connected)
    }

    /// Waits for what a launch depends on; `nil` to wait for nothing, because no launch is possible now.
    func arm(for standing: WakeStanding?) {
        alarm.set(standing?.next)
        monitor.follow(standing?.interest ?? [])
    }

    /// The stores whose overdue wakes are deleted when `store` sets its own. A directory has one store at a time: a
    /// store that is not connected by then was replaced by `store` and never connects again.
    func storesAbandoned(for store: String) -> Set<String> {
        schedule.overdueStores(
            now: clock(), changed: changed, connected: connected.union([store]))
    }

    /// Applies the committed list. True when work of the store was overdue before and no longer is.
    func replace(_ list: WakeList, of store: String, forgetting abandoned: Set<String>) -> Bool {
        let concerned = abandoned.union([store])
        let now = clock()
        let changed = changed
        let was = schedule.overdueStores(now: now, changed: changed, connected: [])
        for other in abandoned { schedule.replace([], of: other) }
        schedule.replace(list, of: store)
        followed = nil
        changedBefore.formIntersection(schedule.files(of: Set(schedule.wakes.keys)))
        let still = schedule.overdueStores(now: now, changed: changed, connected: [])
        return !was.isDisjoint(with: concerned) && still.isDisjoint(with: concerned)
    }
}
