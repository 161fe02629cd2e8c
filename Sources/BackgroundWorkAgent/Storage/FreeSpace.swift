#if os(Linux)
import Glibc

/// How much room a volume has for this user.
enum FreeSpace {
    /// `nil` when the system does not say, as of a path that is not there.
    static func bytes(at path: String) -> Int64? {
        var volume = statvfs()
        guard statvfs(path, &volume) == 0 else { return nil }
        let (bytes, overflow) = Int64(clamping: volume.f_bavail).multipliedReportingOverflow(
            by: Int64(clamping: volume.f_frsize))
        return overflow ? .max : bytes
    }

    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}
#endif
