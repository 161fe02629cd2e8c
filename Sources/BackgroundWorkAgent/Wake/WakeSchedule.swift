import BackgroundWorkModel
import BackgroundWorkTransfers

/// Who wants to be launched when. Pure: the time, the device and who is connected are told.
struct WakeSchedule: Sendable, Hashable {
    /// By store.
    private(set) var wakes: [String: [WakeRequest]]

    init(wakes: [String: [WakeRequest]] = [:]) { self.wakes = wakes.filter { !$0.value.isEmpty } }

    var isEmpty: Bool { wakes.isEmpty }

    mutating func replace(_ requests: [WakeRequest], of store: String) {
        wakes[store] = requests.isEmpty ? nil : requests
    }

    /// The stores, other than those connected, that hold a wake whose time has come, whatever it needs.
    func overdueStores(now: WallTime, connected: Set<String>) -> Set<String> {
        Set(wakes.filter { !connected.contains($0.key) && $0.value.contains { $0.earliest <= now } }.keys)
    }

    /// - Parameters:
    ///   - device: `nil` while it is not known, and then no condition counts as met.
    ///   - connected: stores with a host that is there: it sees to its work itself.
    func standing(now: WallTime, device: DeviceState?, connected: Set<String>) -> WakeStanding {
        let awaited = wakes.filter { !connected.contains($0.key) }.flatMap(\.value)
        let overdue = awaited.filter { $0.earliest <= now }
        let unconditional = overdue.contains { $0.needs.isEmpty }
        return WakeStanding(
            isDue: unconditional || overdue.contains { device?.unmet($0.needs).isEmpty == true },
            interest: unconditional ? [] : overdue.reduce(into: []) { $0.formUnion($1.needs) },
            next: awaited.map(\.earliest).filter { $0 > now }.min())
    }
}
