#if os(Linux)
import Glibc

/// Tells one run of the machine from the next: what was written but not synced survives a dead process, not a reboot.
enum BootIdentifier {
    static let path = "/proc/sys/kernel/random/boot_id"

    static func read() throws -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemCallError("open", path) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count > 0 else { throw SystemCallError("read", path) }
        return String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
#endif
