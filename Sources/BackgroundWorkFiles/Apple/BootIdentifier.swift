import BackgroundWorkSystem

/// Distinguishes one boot of the machine from the next: written but not synced data survives the end of a process, not
/// a reboot.
package enum BootIdentifier {
    package static func read() throws -> String {
        var bytes = [CChar](repeating: 0, count: 64)
        var size = bytes.count
        guard sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0) == 0 else {
            throw FileError(action: "read", path: "kern.bootsessionuuid", code: errno)
        }
        return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
