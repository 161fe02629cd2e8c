import BackgroundWorkSystem
import CBackgroundWorkSQLite
import Synchronization

/// A database file that the system lets nobody open, as long as this exists, although its permissions allow it: as one
/// that is encrypted until a device is unlocked. SQLite's calls are refused, and only those.
package final class WithheldDatabase: Sendable {
    private let path: String

    package init(_ path: String) {
        self.path = path
        Self.paths.withLock { _ = $0.insert(path) }
        Self.replaceOpen
    }

    deinit { Self.paths.withLock { _ = $0.remove(path) } }

    private static let paths = Mutex<Set<String>>([])

    /// Once, and for the process (https://sqlite.org/c3ref/vfs.html, xSetSystemCall).
    private static let replaceOpen: Void = {
        let refusing: @convention(c) (UnsafePointer<CChar>?, Int32, Int32) -> Int32 = { path, flags, mode in
            guard let path else { return -1 }
            if paths.withLock({ $0.contains(String(cString: path)) }) {
                errno = EPERM
                return -1
            }
            return open(path, flags, mode_t(mode))
        }
        let system = sqlite3_vfs_find(nil)
        _ = system?.pointee.xSetSystemCall?(system, "open", unsafeBitCast(refusing, to: sqlite3_syscall_ptr.self))
    }()
}
