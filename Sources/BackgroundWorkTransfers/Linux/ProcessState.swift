#if os(Linux)
#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Whether a process of this user can go on, by what `/proc` says (proc_pid_stat(5)).
enum ProcessState: Equatable {
    /// By a signal, or a debugger.
    case stopped
    case other

    init(of process: Int32) {
        self = .other
        let file = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = read(file, &bytes, bytes.count)
        // The program's name comes first, in parentheses, and may have any characters itself.
        guard count > 0, let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")), end + 2 < count else { return }
        if [UInt8(ascii: "T"), UInt8(ascii: "t")].contains(bytes[end + 2]) { self = .stopped }
    }
}
#endif
