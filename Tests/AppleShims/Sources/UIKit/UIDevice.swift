// Not on macOS.
#if !APPLE_SHAPE_MACOS
public import Foundation

/// doc: uikit/uidevice
@MainActor public class UIDevice {
    /// doc: uikit/uidevice/batterystate-swift.enum; its values: objc2, UIDeviceBatteryState
    public enum BatteryState: Int, Sendable {
        case unknown = 0
        case unplugged = 1
        case charging = 2
        case full = 3
    }

    /// doc: uikit/uidevice/current
    public class var current: UIDevice { device }

    private static let device = UIDevice()

    private init() {}

    /// doc: uikit/uidevice/isbatterymonitoringenabled
    public var isBatteryMonitoringEnabled = false
    var battery = (state: BatteryState.unknown, level: Float(-1))

    /// doc: uikit/uidevice/batterystate-swift.property
    public var batteryState: UIDevice.BatteryState { isBatteryMonitoringEnabled ? battery.state : .unknown }
    /// doc: uikit/uidevice/batterylevel
    public var batteryLevel: Float { isBatteryMonitoringEnabled ? battery.level : -1 }

    /// doc: uikit/uidevice/batterystatedidchangenotification
    nonisolated public static let batteryStateDidChangeNotification =
        NSNotification.Name("UIDeviceBatteryStateDidChangeNotification")
    /// doc: uikit/uidevice/batteryleveldidchangenotification
    nonisolated public static let batteryLevelDidChangeNotification =
        NSNotification.Name("UIDeviceBatteryLevelDidChangeNotification")
}

/// What a test does in the system's place.
@MainActor public enum BatteryShim {
    /// The battery from now on, with the notifications of what has changed. At first it is unknown, as in a simulator.
    public static func set(_ state: UIDevice.BatteryState, level: Float) {
        let device = UIDevice.current
        let old = device.battery
        device.battery = (state, level)
        guard device.isBatteryMonitoringEnabled else { return }
        let center = NotificationCenter.default
        if old.state != state { center.post(name: UIDevice.batteryStateDidChangeNotification, object: device) }
        if old.level != level { center.post(name: UIDevice.batteryLevelDidChangeNotification, object: device) }
    }
}
#endif
