#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What tells one file from another that bears the same name.
package struct FileIdentity: Sendable, Hashable, Codable {
    package var device: UInt64
    package var inode: UInt64
    package var bytes: Int64

    package init(device: UInt64, inode: UInt64, bytes: Int64) {
        self.device = device
        self.inode = inode
        self.bytes = bytes
    }

    /// The identity of what stands at a path, links not followed; `nil` if nothing does.
    package init?(path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The same, but throws when the system does not say whether there is something.
    package static func found(at path: String) throws -> FileIdentity? {
        var status = stat()
        if SystemCall.repeated({ lstat(path, &status) }) == 0 { return FileIdentity(status) }
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw FileError(action: "look at", path: path, code: errno)
    }

    /// Of what an open descriptor leads to.
    package init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        bytes = Int64(status.st_size)
    }

    /// Whether both are names of one file, whatever its length was when each was looked at.
    package func isSameFile(as other: FileIdentity) -> Bool { device == other.device && inode == other.inode }

    /// Whether what stands at a path now is the file that this was taken of, as far as inode and length tell. The device
    /// number is not asked: the same volume may have another one after a reboot.
    package func isStill(_ other: FileIdentity) -> Bool { inode == other.inode && bytes == other.bytes }
}
