import BackgroundWorkModel

/// What one of Apple's systems reports of its power.
struct PowerStatus: Equatable, Sendable {
    /// `nil` if it is not reported.
    var isOnExternalPower: Bool?
    /// `nil` if it is not reported.
    var isBatteryLow: Bool?
    /// The user, or the system for them, saves the battery.
    var isLowPowerMode = false
    /// Why something is not reported.
    var silence = "the system does not report it"
    /// Why changes are not reported; `nil` if they are.
    var watchFailure: String?

    /// The charge, from 0 to 1, at which a battery is low: what Android and most desktops warn at.
    static let lowCharge: Float = 0.15

    /// What it says of `charging` and `batteryNotLow`. In Low Power Mode a battery counts as low, whatever its charge,
    /// unless the device is on external power.
    var state: DeviceState {
        var state = DeviceState(satisfied: [])
        func add(_ condition: Constraints, _ isMet: Bool?) {
            switch isMet {
            case true?: state.satisfied.insert(condition)
            case false?: break
            case nil: state.formUnion(.unreadable(condition, because: silence))
            }
        }
        add(.charging, isOnExternalPower)
        add(.batteryNotLow, isLowPowerMode && isOnExternalPower != true ? false : isBatteryLow.map { !$0 })
        if let watchFailure {
            let reason = "changes are not detected: \(watchFailure)"
            state.unwatched = [ConditionFault([.charging, .batteryNotLow], reason: reason)]
        }
        return state
    }
}
