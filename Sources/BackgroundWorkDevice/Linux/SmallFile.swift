#if os(Linux)
import Glibc

/// A file of /sys or /proc that holds one value.
enum SmallFile {
    /// Its first line, or `nil` if there is none or it cannot be read: a device may go at any moment, and drivers answer
    /// with errors for what they do not know.
    static func line(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
#endif
