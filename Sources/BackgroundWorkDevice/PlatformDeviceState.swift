import BackgroundWorkModel

/// The device state reader of the platform that this runs on.
package enum PlatformDeviceState {
    /// - Parameter directory: the folder whose volume `storageNotLow` is about.
    package static func reader(directory: String) -> any DeviceStateReader {
        #if os(Linux)
        LinuxDeviceState(directory: directory)
        #else
        UnwatchedDeviceState()
        #endif
    }
}

/// For platforms without readers: every condition always holds.
struct UnwatchedDeviceState: DeviceStateReader {
    func state() async -> DeviceState { DeviceState(satisfied: .all) }

    func changes(of interest: Constraints) -> AsyncStream<DeviceState> { AsyncStream { $0.finish() } }
}
