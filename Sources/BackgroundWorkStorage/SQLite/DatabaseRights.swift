import BackgroundWorkFiles
import BackgroundWorkSystem

/// The permissions of a database: only its user may read it, whatever the umask is. It holds the content of requests,
/// including secrets.
///
/// SQLite creates a file with the permissions 0644 less the umask, and its log and index with those of the file.
enum DatabaseRights {
    private static let own: mode_t = 0o600

    /// Creates the file with these permissions, or sets them on an existing one, and on the files beside it.
    ///
    /// An existing file is never opened for this: closing it would release the locks that other connections of this
    /// process have on it
    /// (https://sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_).
    static func claim(_ path: String) throws {
        for file in [path + "-wal", path + "-shm"] { try narrow(file) }
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, own)
        if descriptor >= 0 {
            // The umask may have removed needed permissions.
            let answer = fchmod(descriptor, own)
            let code = errno
            close(descriptor)
            guard answer == 0 else { throw FileError(action: "set the permissions of", path: path, code: code) }
            return
        }
        guard errno == EEXIST else { throw FileError(action: "create", path: path, code: errno) }
        try narrow(path)
    }

    private static func narrow(_ path: String) throws {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw FileError(action: "inspect", path: path, code: errno)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FileError.notRegular(action: "use", path: path)
        }
        guard status.st_mode & 0o777 != own else { return }
        guard chmod(path, own) == 0 else { throw FileError(action: "set the permissions of", path: path, code: errno) }
    }
}
