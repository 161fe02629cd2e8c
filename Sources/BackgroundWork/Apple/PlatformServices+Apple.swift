import BackgroundWorkModel

/// The daemons of Apple's systems are not served yet.
extension PlatformServices {
    init(for client: Client) { self.init(transfers: nil, wakes: nil) }

    static func deviceState(directory: String) -> any DeviceStateReader { UnwatchedDeviceState() }
}
