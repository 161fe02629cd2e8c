#if BACKGROUNDWORK_HAS_BATTERY_MONITORING
import BackgroundWorkFoundation
import Foundation
import UIKit

/// Reports the battery and Low Power Mode until it is deinitialized: once at the start, then each change.
///
/// Each report is made on the main actor, where UIDevice is. Battery monitoring is turned on for the app and stays on,
/// since other parts of the app may use it.
final class BatteryMonitor {
    private let observation: NotificationObservation

    init(report: @escaping @Sendable (PowerStatus) -> Void) {
        let reportNow: @Sendable () -> Void = { Task { @MainActor in report(Self.status()) } }
        observation = NotificationObservation(
            of: [
                UIDevice.batteryStateDidChangeNotification, UIDevice.batteryLevelDidChangeNotification,
                .NSProcessInfoPowerStateDidChange,
            ], posted: reportNow)
        reportNow()
    }

    @MainActor
    private static func status() -> PowerStatus {
        let device = UIDevice.current
        device.isBatteryMonitoringEnabled = true
        var status = PowerStatus(
            isLowPowerMode: ProcessInfo.processInfo.isLowPowerModeEnabled,
            silence: "UIDevice does not report it, as in a simulator")
        switch device.batteryState {
        case .unplugged: status.isOnExternalPower = false
        case .charging, .full: status.isOnExternalPower = true
        case .unknown: break
        @unknown default: break
        }
        // -1 if it is not known.
        if device.batteryLevel >= 0 { status.isBatteryLow = device.batteryLevel <= PowerStatus.lowCharge }
        return status
    }
}
#endif
