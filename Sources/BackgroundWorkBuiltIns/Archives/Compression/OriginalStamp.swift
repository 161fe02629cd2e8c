import BackgroundWorkArchive
import BackgroundWorkFiles
import BackgroundWorkSystem

/// What tells whether a file has changed since it was read.
struct OriginalStamp: Sendable, Hashable, Codable {
    var inode: UInt64
    var bytes: Int64
    var modifiedSeconds, modifiedNanoseconds: Int64
    /// Of the last change of anything about it. Zero for a file with several names: deleting one of them is a change.
    var changedSeconds, changedNanoseconds: Int64
    var isFolder: Bool

    init(_ status: stat) {
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        // A folder changes with what is deleted in it.
        bytes = isFolder ? 0 : Int64(status.st_size)
        let (written, changed) = (status.lastWritten, status.lastChanged)
        modifiedSeconds = isFolder ? 0 : Int64(written.tv_sec)
        modifiedNanoseconds = isFolder ? 0 : Int64(written.tv_nsec)
        let hasOneName = !isFolder && status.st_nlink == 1
        changedSeconds = hasOneName ? Int64(changed.tv_sec) : 0
        changedNanoseconds = hasOneName ? Int64(changed.tv_nsec) : 0
    }

    /// The stamp of what has a name in a folder; `nil` if there is nothing.
    static func found(_ name: some Collection<UInt8>, in folder: Int32, path: String) throws -> OriginalStamp? {
        var status = stat()
        let answer = SystemCall.repeated {
            Name.withCString(name) { fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW) }
        }
        if answer == 0 { return OriginalStamp(status) }
        if errno == ENOENT { return nil }
        throw FileError(action: "inspect", path: path, code: errno)
    }

    /// Whether it is unchanged. The time of its last change does not count where either has none: a file loses its other
    /// names with them.
    func isStill(_ earlier: OriginalStamp) -> Bool {
        var (own, other) = (self, earlier)
        if own.changedSeconds == 0 || other.changedSeconds == 0 {
            (own.changedSeconds, own.changedNanoseconds) = (0, 0)
            (other.changedSeconds, other.changedNanoseconds) = (0, 0)
        }
        return own == other
    }
}

extension stat {
    /// When anything about the file was last changed.
    fileprivate var lastChanged: timespec {
        #if BACKGROUNDWORK_HAS_DARWIN
        st_ctimespec
        #else
        st_ctim
        #endif
    }
}
