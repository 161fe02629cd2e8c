import BackgroundWorkModel
import BackgroundWorkSystem
import CBackgroundWorkLinux
import Dispatch

/// `charging` and `batteryNotLow`, from /sys/class/power_supply.
///
/// The kernel announces when external power is connected or disconnected. Many batteries announce nothing when their
/// charge falls, and some containers receive no announcements, so the folder is also checked once a minute.
final class PowerCondition: ConditionSource {
    let conditions: Constraints = [.charging, .batteryNotLow]
    private let folder: String
    private let timers: any InspectionTimers
    private var announcements: NetlinkWatch
    private var timer: AnyObject?

    static let secondsBetweenInspections = 60
    /// The kernel's own announcements; 2 would be those that udev sends on.
    private static let kernelGroup: UInt32 = 1

    init(
        folder: String = "/sys/class/power_supply", timers: any InspectionTimers = DispatchInspectionTimers(),
        open: @escaping NetlinkSocket.Opener = NetlinkSocket.init
    ) {
        self.folder = folder
        self.timers = timers
        announcements = NetlinkWatch(open: open)
    }

    func read() -> DeviceState {
        var state: DeviceState
        do throws(SupplyFolderError) {
            state = try PowerSupplies(folder: folder).state
        } catch {
            state = .unreadable(conditions, because: error.description)
        }
        if let failure = announcements.failure {
            let delay = "changes are detected within \(Self.secondsBetweenInspections) s, not at once: \(failure)"
            state.unwatched = [ConditionFault(.charging, reason: delay)]
        }
        return state
    }

    func beginWatching(on queue: DispatchQueue, woken: @escaping @Sendable (Wake) -> Void) {
        timer = timers.begin(every: Self.secondsBetweenInspections, on: queue, woken: woken)
        announcements.begin(NETLINK_KOBJECT_UEVENT, groups: Self.kernelGroup, on: queue, woken: woken)
    }

    func takeEvents() -> Bool { announcements.takeEvents { DeviceEvent($0).isAboutPowerSupply } }

    func endWatching() {
        timer = nil
        announcements.end()
    }
}

/// What the kernel announces about a device: "change@/devices/…", then `KEY=value`, each ended by a zero byte.
struct DeviceEvent {
    private let fields: [Substring]

    init(_ datagram: [UInt8]) { fields = String(decoding: datagram, as: UTF8.self).split(separator: "\0") }

    var isAboutPowerSupply: Bool { fields.contains("SUBSYSTEM=power_supply") }
}
