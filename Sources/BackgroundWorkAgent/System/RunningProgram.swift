#if os(Linux)
import Glibc

/// The program of this process.
enum RunningProgram {
    private static let link = "/proc/self/exe"

    static func path() throws(SystemCallError) -> String {
        guard let resolved = realpath(link, nil) else { throw SystemCallError("readlink", link) }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
#endif
