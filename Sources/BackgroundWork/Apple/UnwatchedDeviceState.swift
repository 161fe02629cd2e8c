import BackgroundWorkModel

/// For platforms without readers: every condition always holds.
struct UnwatchedDeviceState: DeviceStateReader {
    func state() async -> DeviceState { DeviceState(satisfied: .all) }

    func changes(of interest: Constraints) -> AsyncStream<DeviceState> { AsyncStream { $0.finish() } }
}
