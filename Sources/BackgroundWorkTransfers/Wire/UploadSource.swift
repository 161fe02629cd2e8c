import BackgroundWorkFiles
import BackgroundWorkSystem

/// A file that is to be sent, told apart from any later state of it.
package struct UploadSource: Sendable, Hashable, Codable {
    package var path: String
    package var bytes: Int64
    package var modifiedNs: Int64
    package var inode: UInt64
    package var device: UInt64

    package init(path: String, bytes: Int64, modifiedNs: Int64, inode: UInt64, device: UInt64) {
        self.path = path
        self.bytes = bytes
        self.modifiedNs = modifiedNs
        self.inode = inode
        self.device = device
    }

    /// The file at `path`, as `stat` or `fstat` has described it.
    package init(path: String, _ status: stat) {
        let modified = status.lastWritten
        self.init(
            path: path, bytes: Int64(status.st_size),
            modifiedNs: Int64(modified.tv_sec) &* 1_000_000_000 &+ Int64(modified.tv_nsec),
            inode: UInt64(truncatingIfNeeded: status.st_ino), device: UInt64(truncatingIfNeeded: status.st_dev))
    }

    /// The file at a path as it is now, links followed; `nil` if there is none.
    package static func found(at path: String) -> UploadSource? {
        var status = stat()
        return stat(path, &status) == 0 ? UploadSource(path: path, status) : nil
    }
}
