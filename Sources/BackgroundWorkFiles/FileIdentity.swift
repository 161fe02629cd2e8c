import BackgroundWorkSystem

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

/// What changes when a file is replaced or written: a cache of its content is good as long as its stamp is.
package struct FileStamp: Sendable, Hashable, CustomStringConvertible {
    private var identity: FileIdentity
    /// Of the Unix epoch.
    package private(set) var modifiedSeconds: Int64
    private var modifiedNanoseconds: Int64

    /// The stamp of what stands at a path; `nil` if nothing does.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0, let identity = FileIdentity(path: path) else { return nil }
        self.identity = identity
        #if canImport(Darwin)
        modifiedSeconds = Int64(status.st_mtimespec.tv_sec)
        modifiedNanoseconds = Int64(status.st_mtimespec.tv_nsec)
        #else
        modifiedSeconds = Int64(status.st_mtim.tv_sec)
        modifiedNanoseconds = Int64(status.st_mtim.tv_nsec)
        #endif
    }

    /// The stamp of what stands at a path as it is stored; a word of its own if nothing does.
    package static func stored(path: String) -> String { FileStamp(path: path).map { "\($0)" } ?? "none" }

    /// The stamp as it is stored, to be compared with another.
    package var description: String {
        "\(identity.inode).\(identity.bytes).\(modifiedSeconds).\(modifiedNanoseconds)"
    }
}

/// What stands at a path and is neither file, folder nor link: nothing that a file may take the place of.
package enum SpecialFile {
    /// In words, for an error; `nil` if nothing of the sort stands there. Links are not followed.
    package static func kind(at path: String) -> String? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return switch status.st_mode & S_IFMT {
        case S_IFCHR, S_IFBLK: "a device"
        case S_IFIFO: "a named pipe"
        case S_IFSOCK: "a socket"
        default: nil
        }
    }

    /// Throws ``FileError`` when something of the sort stands there.
    package static func refuse(at path: String) throws {
        if let kind = kind(at: path) { throw FileError(action: "replace \(kind) by a file:", path: path, code: EEXIST) }
    }
}
