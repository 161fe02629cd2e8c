#if BACKGROUNDWORK_HAS_POWER_SOURCES
import BackgroundWorkFoundation
import Dispatch
import Foundation
import IOKit.ps
import Synchronization
import notify

/// Reports a Mac's power sources and Low Power Mode until it is deinitialized: once at the start, then each change.
final class PowerSourceMonitor {
    private let notifications: [DarwinNotification]
    private let observation: NotificationObservation

    init(report: @escaping @Sendable (PowerStatus) -> Void) {
        let queue = DispatchQueue(label: "BackgroundWork.power")
        let failure = Mutex<String?>(nil)
        // Each state is read on the queue, so that the newest report has the newest one.
        let reportNow: @Sendable () -> Void = { report(Self.status(watchFailure: failure.withLock { $0 })) }
        notifications = [kIOPSNotifyPowerSource, kIOPSNotifyLowBattery].compactMap { name in
            do throws(DarwinNotificationError) {
                return try DarwinNotification(name, on: queue, posted: reportNow)
            } catch {
                failure.withLock { $0 = error.description }
                return nil
            }
        }
        observation = NotificationObservation(of: [.NSProcessInfoPowerStateDidChange]) {
            queue.async(execute: reportNow)
        }
        queue.async(execute: reportNow)
    }

    /// A UPS is external power only while it is on mains. A Mac warns of its battery when that lasts for about 20 more
    /// minutes, and never on external power.
    private static func status(watchFailure: String?) -> PowerStatus {
        PowerStatus(
            isOnExternalPower: IOPSGetTimeRemainingEstimate() == kIOPSTimeRemainingUnlimited,
            isBatteryLow: IOPSGetBatteryWarningLevel() != kIOPSLowBatteryWarningNone,
            isLowPowerMode: ProcessInfo.processInfo.isLowPowerModeEnabled, watchFailure: watchFailure)
    }
}

/// Hears a notification of notify(3) until it is deinitialized.
final class DarwinNotification {
    private let token: Int32

    /// - Parameter posted: is called on the queue.
    init(_ name: String, on queue: DispatchQueue, posted: @escaping @Sendable () -> Void)
        throws(DarwinNotificationError)
    {
        var token: Int32 = 0
        let status = notify_register_dispatch(name, &token, queue) { _ in posted() }
        guard status == NOTIFY_STATUS_OK else { throw DarwinNotificationError(name: name, status: status) }
        self.token = token
    }

    deinit { notify_cancel(token) }
}

/// A notification cannot be heard.
struct DarwinNotificationError: Error, CustomStringConvertible {
    let name: String
    let status: UInt32

    var description: String { "notify_register_dispatch failed for \(name) with status \(status)" }
}
#endif
