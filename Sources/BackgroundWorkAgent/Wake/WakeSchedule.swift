import BackgroundWorkModel
import BackgroundWorkTransfers

/// Which stores' hosts are to be launched, and when. Pure: the time, the device, the files and the connected stores are
/// parameters.
struct WakeSchedule: Sendable, Hashable {
    /// By store.
    private(set) var wakes: [String: WakeList]

    init(wakes: [String: WakeList] = [:]) { self.wakes = wakes.filter { !$0.value.isEmpty } }

    var isEmpty: Bool { wakes.isEmpty }

    mutating func replace(_ list: WakeList, of store: String) { wakes[store] = list.isEmpty ? nil : list }

    /// The stores, other than those connected, that have a wake whose time has come, regardless of its conditions, or
    /// wait for a file that has changed.
    func overdueStores(now: WallTime, changed: Set<FileWakeRequest> = [], connected: Set<String>) -> Set<String> {
        Set(
            wakes.filter { store, list in
                !connected.contains(store)
                    && (list.times.contains { $0.earliest <= now }
                        || !changed.isEmpty && list.files.contains(where: changed.contains))
            }.keys)
    }

    /// The stores that wait for files and have no connected host.
    func storesWithFiles(connected: Set<String>) -> Set<String> {
        Set(wakes.filter { !connected.contains($0.key) && !$0.value.files.isEmpty }.keys)
    }

    func files(of stores: Set<String>) -> Set<FileWakeRequest> {
        stores.reduce(into: []) { $0.formUnion(wakes[$1]?.files ?? []) }
    }

    /// - Parameters:
    ///   - device: `nil` while unknown; then no condition counts as met.
    ///   - files: of the stores that are not connected.
    ///   - connected: stores with a connected host, which processes its work itself.
    func standing(now: WallTime, device: DeviceState?, files: FileObservation = .init(), connected: Set<String>)
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

/// What a schedule requires at one moment.
struct WakeStanding: Sendable, Hashable {
    /// Work is due, and a host is to be launched for it now.
    var isDue = false
    /// A file that a store waits for has changed, and a host is to be launched for it now.
    var hasChangedFile = false
    /// It is still being checked whether a file has changed.
    var mayHaveChangedFile = false
    /// The conditions of the device on which a launch depends; empty when it depends on none.
    var interest: Constraints = []
    /// The next instant at which a wake becomes due.
    var next: WallTime?

    /// Why a host is to be launched now; `nil` if none is.
    var reason: LaunchReason? { isDue ? .dueWork : hasChangedFile ? .changedFile : nil }

    /// Whether the time of a wake has come, whether or not its conditions hold.
    var hasOverdue: Bool { isDue || hasChangedFile || mayHaveChangedFile || !interest.isEmpty }
}

/// What is known of the files that hosts wait for.
struct FileObservation: Sendable, Hashable {
    /// The files that differ from their recorded stamp.
    var changed: Set<FileWakeRequest> = []
    /// Whether every file was checked.
    var isComplete = true
}
