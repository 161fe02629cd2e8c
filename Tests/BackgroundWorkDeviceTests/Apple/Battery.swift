#if BACKGROUNDWORK_HAS_BATTERY_MONITORING
import UIKit

/// The device's battery, in a file of its own: a file that imports Testing as well would need their overlay.
@MainActor
enum Battery {
    static var isMonitored: Bool { UIDevice.current.isBatteryMonitoringEnabled }

    static func set(_ state: UIDevice.BatteryState, level: Float) { BatteryShim.set(state, level: level) }
}
#endif
