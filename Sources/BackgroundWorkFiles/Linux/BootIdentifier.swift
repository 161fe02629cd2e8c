import BackgroundWorkSystem

/// Distinguishes one boot of the machine from the next: written but not synced data survives the end of a process, not
/// a reboot.
package enum BootIdentifier {
    package static func read() throws -> String {
        let path = "/proc/sys/kernel/random/boot_id"
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(action: "open", path: path, code: errno) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = systemRead(descriptor, &bytes, bytes.count)
        guard count > 0 else { throw FileError(action: "read", path: path, code: errno) }
        return String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}

/// Inside a type with its own `read`, the C library's is not visible.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
