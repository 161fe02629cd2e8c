#if os(Linux)
import BackgroundWorkModel
import Glibc

extension WallTime {
    /// What the wall clock shows, without Foundation.
    static func now() -> WallTime {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return WallTime(milliseconds: Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec / 1_000_000))
    }
}
#endif
