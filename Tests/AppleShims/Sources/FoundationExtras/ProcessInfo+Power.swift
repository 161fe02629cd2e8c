public import Foundation
import Synchronization

/// What a test says of the device.
public enum DeviceShim {
    /// The answer of `ProcessInfo.isLowPowerModeEnabled`.
    public static var isLowPowerModeEnabled: Bool {
        get { lowPower.load(ordering: .acquiring) }
        set { lowPower.store(newValue, ordering: .releasing) }
    }

    private static let lowPower = Atomic(false)
}

extension ProcessInfo {
    /// doc: foundation/processinfo/islowpowermodeenabled; not on Linux
    public var isLowPowerModeEnabled: Bool { DeviceShim.isLowPowerModeEnabled }
}
