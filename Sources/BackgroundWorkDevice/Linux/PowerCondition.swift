#if os(Linux)
import BackgroundWorkModel
import CBackgroundWorkLinux
import Dispatch
import BackgroundWorkSystem

/// `charging` and `batteryNotLow`, from /sys/class/power_supply.
///
/// The kernel announces when external power is connected or disconnected. Many batteries announce nothing when their
/// charge falls, and some containers receive no announcements, so the folder is also checked once a minute.
final class PowerCondition: ConditionSource {
    let conditions: Constraints = [.charging, .batteryNotLow]
    private let folder: String
    private let timers: any LookTimers
    private let open: NetlinkSocket.Opener
    private var announcements: NetlinkSocket?
    private var readable: EventSource?
    private var timer: AnyObject?
    private var watchingFailure: NetlinkError?

    static let secondsBetweenLooks = 60
    /// The kernel's own announcements; 2 would be those that udev sends on.
    private static let kernelGroup: UInt32 = 1

    init(
        folder: String = "/sys/class/power_supply", timers: any LookTimers = DispatchLookTimers(),
        open: @escaping NetlinkSocket.Opener = NetlinkSocket.init
    ) {
        self.folder = folder
        self.timers = timers
        self.open = open
    }

    var notes: [String] {
        watchingFailure.map {
            ["A change of external power is detected within \(Self.secondsBetweenLooks) s, not at once (\($0))."]
        } ?? []
    }

    func read() -> Constraints { PowerSupplies(folder: folder).satisfied }

    func beginWatching(on queue: DispatchQueue, woken: @escaping @Sendable (Wake) -> Void) {
        timer = timers.begin(every: Self.secondsBetweenLooks, on: queue, woken: woken)
        do throws(NetlinkError) {
            let socket = try open(NETLINK_KOBJECT_UEVENT, Self.kernelGroup)
            guard let source = EventSource(of: socket.descriptor, on: queue, woken: woken) else {
                throw NetlinkError("watching a netlink socket")
            }
            readable = source
            announcements = socket
            watchingFailure = nil
        } catch {
            watchingFailure = error
        }
    }

    func takeEvents() -> Bool {
        var matters = false
        while true {
            do throws(NetlinkError) {
                guard let datagram = try announcements?.receive() else { return matters }
                matters = matters || DeviceEvent(datagram).isAboutPowerSupply
            } catch {
                matters = true
                // Some were lost. The rest has to be read as well: until the queue is empty the kernel does not say that
                // further ones are lost.
                guard error.code == ENOBUFS else { return matters }
            }
        }
    }

    func endWatching() {
        timer = nil
        readable = nil
        announcements = nil
    }
}

/// What the kernel announces about a device: "change@/devices/…", then `KEY=value`, each ended by a zero byte.
struct DeviceEvent {
    private let fields: [Substring]

    init(_ datagram: [UInt8]) { fields = String(decoding: datagram, as: UTF8.self).split(separator: "\0") }

    var isAboutPowerSupply: Bool { fields.contains("SUBSYSTEM=power_supply") }
}
#endif
