import BackgroundWorkModel

extension PlatformDeviceState {
    /// - Parameter directory: the folder whose volume `storageNotLow` is about.
    static func sources(directory: String) -> [any ConditionSource] {
        networkSources() + [
            power, StorageCondition(directory: directory),
            FixedCondition(
                .deviceIdle,
                state: .unreadable(.deviceIdle, because: "the system tells no program whether the device is idle")),
        ]
    }

    /// Those of the network alone.
    static func networkSources() -> [any ConditionSource] {
        [
            ReportedCondition(
                .unmeteredNetwork, reports: { NetworkPathMonitor(report: $0) }, state: \.state,
                silence: "the system has not reported the path of the network")
        ]
    }

    private static var power: any ConditionSource {
        let conditions: Constraints = [.charging, .batteryNotLow]
        #if BACKGROUNDWORK_HAS_BATTERY_MONITORING
        return ReportedCondition(
            conditions, reports: { BatteryMonitor(report: $0) }, state: \.state,
            silence: "the main thread has not answered, on which the battery is read")
        #elseif BACKGROUNDWORK_HAS_POWER_SOURCES
        return ReportedCondition(
            conditions, reports: { PowerSourceMonitor(report: $0) }, state: \.state,
            silence: "the system has not reported its power sources")
        #else
        // An Apple TV has no battery.
        return FixedCondition(conditions, state: DeviceState(satisfied: conditions))
        #endif
    }
}
