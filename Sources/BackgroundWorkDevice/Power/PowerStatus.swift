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
        state.add(.charging, isMet: isOnExternalPower, silence: silence)
        state.add(
            .batteryNotLow, isMet: isLowPowerMode && isOnExternalPower != true ? false : isBatteryLow.map { !$0 },
            silence: silence)
        if let watchFailure {
            let reason = "changes are not detected: \(watchFailure)"
            state.unwatched = [ConditionFault([.charging, .batteryNotLow], reason: reason)]
        }
        return state
    }
}

extension DeviceState {
    /// Adds a condition.
    ///
    /// - Parameters:
    ///   - isMet: `nil` if it cannot be read.
    ///   - silence: why, then.
    mutating func add(_ condition: Constraints, isMet: Bool?, silence: String) {
        switch isMet {
        case true?: satisfied.insert(condition)
        case false?: break
        case nil: formUnion(.unreadable(condition, because: silence))
        }
    }
}
