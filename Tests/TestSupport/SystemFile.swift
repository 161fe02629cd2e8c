import BackgroundWorkFiles
import BackgroundWorkSystem

/// Calls of the C library for tests that import Foundation.
package enum SystemFile {
    /// Makes a named pipe; false when that failed.
    package static func makePipe(at path: String) -> Bool { mkfifo(path, 0o600) == 0 }

    /// The inode, and when the content was last written, in nanoseconds since 1970; `nil` if there is no file.
    package static func status(of path: String) -> (inode: UInt64, writtenNs: Int64)? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let written = status.lastWritten
        return (UInt64(status.st_ino), Int64(written.tv_sec) * 1_000_000_000 + Int64(written.tv_nsec))
    }
}
