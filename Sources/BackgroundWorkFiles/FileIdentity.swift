import BackgroundWorkSystem

/// Distinguishes a file from another one with the same name.
package struct FileIdentity: Sendable, Hashable, Codable {
    package var device: UInt64
    package var inode: UInt64
    package var bytes: Int64

    package init(device: UInt64, inode: UInt64, bytes: Int64) {
        self.device = device
        self.inode = inode
        self.bytes = bytes
    }

    /// The identity of the file at a path, links not followed; `nil` if there is none.
    package init?(path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The same, but throws when the system cannot tell whether there is a file.
    package static func found(at path: String) throws -> FileIdentity? {
        var status = stat()
        if SystemCall.repeated({ lstat(path, &status) }) == 0 { return FileIdentity(status) }
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw FileError(action: "inspect", path: path, code: errno)
    }

    /// The identity of an open file.
    package init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        bytes = Int64(status.st_size)
    }

    /// Whether both identify the same file, regardless of the length at each reading.
    package func isSameFile(as other: FileIdentity) -> Bool { device == other.device && inode == other.inode }

    /// Whether this is still the file of the other identity, by inode and length. The device number is not compared:
    /// the same volume may have another one after a reboot.
    package func isStill(_ other: FileIdentity) -> Bool { inode == other.inode && bytes == other.bytes }
}

/// Changes when a file is replaced or written: a cache of its content is valid as long as its stamp is unchanged.
package struct FileStamp: Sendable, Hashable, CustomStringConvertible {
    private var identity: FileIdentity
    /// Since the Unix epoch.
    package private(set) var modifiedSeconds: Int64
    private var modifiedNanoseconds: Int64

    /// The stamp of the file at a path; `nil` if there is none.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0, let identity = FileIdentity(path: path) else { return nil }
        self.identity = identity
        modifiedSeconds = Int64(status.lastWritten.tv_sec)
        modifiedNanoseconds = Int64(status.lastWritten.tv_nsec)
    }

    /// The stored form of the stamp of the file at a path; a special word if there is none.
    package static func stored(path: String) -> String { FileStamp(path: path).map { "\($0)" } ?? "none" }

    /// The stamp as it is stored, to be compared with another.
    package var description: String {
        "\(identity.inode).\(identity.bytes).\(modifiedSeconds).\(modifiedNanoseconds)"
    }
}

extension stat {
    /// When the file's content was last written.
    package var lastWritten: timespec {
        #if BACKGROUNDWORK_HAS_DARWIN
        st_mtimespec
        #else
        st_mtim
        #endif
    }
}

/// Files that are neither regular files, folders nor links: a file must not replace them.
package enum SpecialFile {
    /// Its description for an error message; `nil` if there is no special file at the path.
    package static func kind(at path: String, followingLinks: Bool = false) -> String? {
        var status = stat()
        return (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 ? kind(of: status) : nil
    }

    static func kind(of status: stat) -> String? {
        switch status.st_mode & S_IFMT {
        case S_IFCHR, S_IFBLK: "a device"
        case S_IFIFO: "a named pipe"
        case S_IFSOCK: "a socket"
        default: nil
        }
    }
}
