#if os(Linux)
/// What the kernel announces about a device: "change@/devices/…", then `KEY=value`, each ended by a zero byte.
struct DeviceEvent {
    private let fields: [Substring]

    init(_ datagram: [UInt8]) { fields = String(decoding: datagram, as: UTF8.self).split(separator: "\0") }

    var isAboutPowerSupply: Bool { fields.contains("SUBSYSTEM=power_supply") }
}
#endif
