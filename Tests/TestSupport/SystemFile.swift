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

extension SystemFile {
    /// The permissions of a file or folder, links not followed; `nil` if there is none.
    package static func mode(of path: String) -> UInt16? {
        var status = stat()
        return lstat(path, &status) == 0 ? UInt16(status.st_mode & 0o7777) : nil
    }

    /// Sets the permissions; false when that failed.
    @discardableResult
    package static func setMode(_ mode: UInt16, of path: String) -> Bool { chmod(path, mode_t(mode)) == 0 }

    /// A new, empty file, open for reading and writing; -1 when that failed.
    package static func create(_ path: String) -> Int32 { open(path, O_RDWR | O_CREAT | O_TRUNC, 0o644) }

    /// An open folder; -1 when that failed.
    package static func openFolder(_ path: String) -> Int32 { open(path, O_RDONLY | O_DIRECTORY) }

    /// Makes a folder in an open one; false when that failed.
    package static func makeFolder(_ name: String, in folder: Int32) -> Bool { mkdirat(folder, name, 0o755) == 0 }

    package static func closeFile(_ file: Int32) { close(file) }
}
