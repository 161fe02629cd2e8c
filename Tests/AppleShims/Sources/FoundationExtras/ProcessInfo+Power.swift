public import Foundation
import Synchronization

/// What a test says of the device.
public enum DeviceShim {
    /// The answer of `ProcessInfo.isLowPowerModeEnabled`. A change posts its notification.
    public static var isLowPowerModeEnabled: Bool {
        get { lowPower.load(ordering: .acquiring) }
        set {
            guard lowPower.exchange(newValue, ordering: .acquiringAndReleasing) != newValue else { return }
            NotificationCenter.default.post(name: .NSProcessInfoPowerStateDidChange, object: ProcessInfo.processInfo)
        }
    }

    private static let lowPower = Atomic(false)
}

extension NSNotification.Name {
    /// doc: foundation/nsnotification/name-swift.struct/nsprocessinfopowerstatedidchange; not on Linux
    public static let NSProcessInfoPowerStateDidChange =
        NSNotification.Name("NSProcessInfoPowerStateDidChangeNotification")
}

extension ProcessInfo {
    /// doc: foundation/processinfo/islowpowermodeenabled; not on Linux
    public var isLowPowerModeEnabled: Bool { DeviceShim.isLowPowerModeEnabled }
}
