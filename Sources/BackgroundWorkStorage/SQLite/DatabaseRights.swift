import BackgroundWorkFiles
import BackgroundWorkSystem

/// Who may read a database: its user alone, whatever the umask is. It holds what requests carry, secrets among it.
///
/// SQLite makes a file with the rights 0644 less the umask, and its log and index with those of the file.
enum DatabaseRights {
    private static let own: mode_t = 0o600

    /// Makes the file with these rights, or gives them to one that is there, and to what lies beside it.
    ///
    /// A file that is there is never opened for it: closing it would give up the locks that other connections of this
    /// process have on it (https://sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_).
    static func claim(_ path: String) throws {
        for file in [path + "-wal", path + "-shm"] { try narrow(file) }
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, own)
        if descriptor >= 0 {
            // The umask may have taken what is needed.
            let answer = fchmod(descriptor, own)
            let code = errno
            close(descriptor)
            guard answer == 0 else { throw FileError(action: "set the rights of", path: path, code: code) }
            return
        }
        guard errno == EEXIST else { throw FileError(action: "create", path: path, code: errno) }
        try narrow(path)
    }

    private static func narrow(_ path: String) throws {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw FileError(action: "look at", path: path, code: errno)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FileError(action: "use, because it is no regular file,", path: path, code: EINVAL)
        }
        guard status.st_mode & 0o777 != own else { return }
        guard chmod(path, own) == 0 else { throw FileError(action: "set the rights of", path: path, code: errno) }
    }
}
