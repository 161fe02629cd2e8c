import BackgroundWorkModel
import BackgroundWorkTransfers

/// Who wants to be launched when. Pure: the time, the device, the files and who is connected are told.
struct WakeSchedule: Sendable, Hashable {
    /// By store.
    private(set) var wakes: [String: WakeList]

    init(wakes: [String: WakeList] = [:]) { self.wakes = wakes.filter { !$0.value.isEmpty } }

    var isEmpty: Bool { wakes.isEmpty }

    mutating func replace(_ list: WakeList, of store: String) { wakes[store] = list.isEmpty ? nil : list }

    /// The stores, other than those connected, that hold a wake whose time has come, whatever it needs, or wait for a
    /// file that has changed.
    func overdueStores(now: WallTime, changed: Set<FileWakeRequest> = [], connected: Set<String>) -> Set<String> {
        Set(
            wakes.filter { store, list in
                !connected.contains(store)
                    && (list.times.contains { $0.earliest <= now }
                        || !changed.isEmpty && list.files.contains(where: changed.contains))
            }.keys)
    }

    /// The stores that wait for files and have no host that sees to them itself.
    func storesWithFiles(connected: Set<String>) -> Set<String> {
        Set(wakes.filter { !connected.contains($0.key) && !$0.value.files.isEmpty }.keys)
    }

    func files(of stores: Set<String>) -> Set<FileWakeRequest> {
        stores.reduce(into: []) { $0.formUnion(wakes[$1]?.files ?? []) }
    }

    /// - Parameters:
    ///   - device: `nil` while it is not known, and then no condition counts as met.
    ///   - files: of the stores that are not connected.
    ///   - connected: stores with a host that is there: it sees to its work itself.
    func standing(now: WallTime, device: DeviceState?, files: FileSight = .init(), connected: Set<String>)
        -> WakeStanding
    {
        let awaited = wakes.filter { !connected.contains($0.key) }.flatMap(\.value.times)
        let overdue = awaited.filter { $0.earliest <= now }
        let unconditional = overdue.contains { $0.needs.isEmpty }
        return WakeStanding(
            isDue: unconditional || overdue.contains { device?.unmet($0.needs).isEmpty == true },
            hasChangedFile: !files.changed.isEmpty, mayHaveChangedFile: !files.isComplete,
            interest: unconditional ? [] : overdue.reduce(into: []) { $0.formUnion($1.needs) },
            next: awaited.map(\.earliest).filter { $0 > now }.min())
    }
}

/// What a schedule asks for at one moment.
struct WakeStanding: Sendable, Hashable {
    /// Work is due, and a host is to be launched for it now.
    var isDue = false
    /// A file that somebody waits for has changed, and a host is to be launched for it now.
    var hasChangedFile = false
    /// It is still being looked whether one has.
    var mayHaveChangedFile = false
    /// The conditions of the device on which it depends whether one is; empty when it does not depend on any.
    var interest: Constraints = []
    /// The next instant at which a time comes.
    var next: WallTime?

    /// Why a host is to be launched now; `nil` if none is.
    var reason: LaunchReason? { isDue ? .dueWork : hasChangedFile ? .changedFile : nil }

    /// Whether some wake's time has come, be it that its conditions hold or not.
    var hasOverdue: Bool { isDue || hasChangedFile || mayHaveChangedFile || !interest.isEmpty }
}

/// What is known of the files that hosts wait for.
struct FileSight: Sendable, Hashable {
    /// Those that are not what they were.
    var changed: Set<FileWakeRequest> = []
    /// Whether each has been looked at.
    var isComplete = true
}
