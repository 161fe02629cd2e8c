import BackgroundWorkArchive
import BackgroundWorkFiles
import BackgroundWorkSystem

/// Creates the files, folders and links of an archive in a new folder. Nothing that exists is ever replaced or followed.
final class TreeBuilder {
    private let cursor: FolderCursor
    /// Permissions that no new file has.
    private let umask: mode_t
    /// The folders that were created, by hashes of their paths. Two paths for one folder are found by it: the file system
    /// does not distinguish their case, or how their characters are composed.
    private var folders: Set<Int> = []

    /// - Parameters:
    ///   - root: an empty folder, which stays the caller's.
    ///   - path: the folder's, for errors.
    init(root: Int32, path: String) throws {
        cursor = try FolderCursor(root: root, path: path)
        umask = try Self.umask(in: root, path: path)
    }

    /// The permissions of a new folder.
    var newFolderMode: mode_t { 0o777 & ~umask }

    /// Found by creating a folder. The umask itself can only be read by changing it, which other threads would notice.
    private static func umask(in root: Int32, path: String) throws -> mode_t {
        let name = ".mode"
        guard mkdirat(root, name, 0o777) == 0 else { throw FileError(action: "create", path: path, code: errno) }
        defer { unlinkat(root, name, AT_REMOVEDIR) }
        var status = stat()
        guard fstatat(root, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw FileError(action: "inspect", path: path, code: errno)
        }
        return ~status.st_mode & 0o777
    }

    // MARK: Creating

    func addFolder(_ path: EntryPath) throws { try move(to: path.components, of: path) }

    /// Creates a file, and calls `fill` to write its content.
    func addFile(
        _ entry: ZipEntry, _ path: EntryPath, fill: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
    ) throws {
        guard let name = path.components.last else { throw Self.collision(entry) }
        try move(to: path.components.dropLast(), of: path)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let mode = mode_t(entry.mode ?? 0o666)
        let file = SystemCall.repeated { Name.withCString(name) { openat(cursor.descriptor, $0, flags, mode) } }
        guard file >= 0 else {
            if errno == EEXIST { throw Self.collision(entry) }
            throw FileError(action: "create", path: cursor.path(of: Array(name)), code: errno)
        }
        defer { close(file) }
        try fill { try DurableFile.write($0, to: file, path: entry.shownName) }
        setTime(entry.modified, of: file)
        try TreeFlush.flush(file: file, path: cursor.path(of: Array(name)))
    }

    /// Creates a link. To be called after all files are there.
    func addLink(_ entry: ZipEntry, _ path: EntryPath, to target: [UInt8]) throws {
        guard let name = path.components.last else { throw Self.collision(entry) }
        try move(to: path.components.dropLast(), of: path)
        let code = Name.withCString(target) { target in
            Name.withCString(name) { symlinkat(target, cursor.descriptor, $0) }
        }
        guard code != 0 else { return }
        if errno == EEXIST { throw Self.collision(entry) }
        throw FileError(action: "create the link", path: cursor.path(of: Array(name)), code: errno)
    }

    /// Gives a folder its permissions and its time, which what is created in it would change. Its owner can always use it.
    func finishFolder(_ entry: ZipEntry, _ path: EntryPath) throws {
        try move(to: path.components, of: path)
        if let mode = entry.mode {
            guard fchmod(cursor.descriptor, (mode_t(mode) | 0o700) & ~umask | 0o700) == 0 else {
                throw FileError(action: "set the permissions of", path: cursor.path(of: []), code: errno)
            }
        }
        setTime(entry.modified, of: cursor.descriptor)
    }

    private func setTime(_ seconds: Int64?, of descriptor: Int32) {
        guard let seconds else { return }
        let time = timespec(tv_sec: time_t(seconds), tv_nsec: 0)
        // A volume that does not know such a time keeps its own.
        futimens(descriptor, [time, time])
    }

    private func move(to folder: some Collection<ArraySlice<UInt8>>, of path: EntryPath) throws {
        try cursor.move(to: folder) { name in
            let key = cursor.hash(of: name)
            if !folders.contains(key) {
                let answer = Name.withCString(name) { mkdirat(cursor.descriptor, $0, 0o777) }
                guard answer == 0 else {
                    if errno == EEXIST { throw Self.collision(ZipEntry(name: Array(name), kind: .folder)) }
                    throw FileError(
                        action: "create the folder", path: cursor.path(of: Array(name)), code: errno)
                }
                folders.insert(key)
            }
            try cursor.enter(Array(name))
        }
    }

    private static func collision(_ entry: ZipEntry) -> ArchiveError {
        .refused(
            "the name of the entry \"\(entry.shownName)\" is that of another entry, as far as this file system "
                + "distinguishes names")
    }
}
