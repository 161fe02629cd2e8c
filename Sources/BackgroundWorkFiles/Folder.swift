import BackgroundWorkSystem

/// Creates folders, and makes changes in them durable.
package enum Folder {
    /// Creates the folder and those above it. Does nothing if it exists.
    package static func create(_ path: String, mode: mode_t = 0o755) throws {
        // Usually it exists.
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
        if SystemCall.repeated({ mkdir(path, mode) }) == 0 { return }
        switch errno {
        case EEXIST:
            guard stat(path, &status) == 0 else { throw FileError(action: "inspect", path: path, code: errno) }
            guard status.st_mode & S_IFMT == S_IFDIR else {
                throw FileError(action: "create the folder", path: path, code: ENOTDIR)
            }
        case ENOENT:
            guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
                throw FileError(action: "create the folder", path: path, code: ENOENT)
            }
            try create(String(path[..<slash]), mode: mode)
            guard mkdir(path, mode) == 0 || errno == EEXIST else {
                throw FileError(action: "create the folder", path: path, code: errno)
            }
        case let code: throw FileError(action: "create the folder", path: path, code: code)
        }
    }

    /// Makes renames, new names and removals in the folder durable (fsync(2) on the folder).
    package static func synchronize(_ path: String) throws {
        let descriptor = SystemCall.repeated { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw FileError(action: "open the folder", path: path, code: errno) }
        defer { close(descriptor) }
        guard SystemCall.repeated({ fsync(descriptor) }) == 0 else {
            throw FileError(action: "synchronize the folder", path: path, code: errno)
        }
    }
}

/// A folder that only its user can change, so its content can be trusted.
package enum PrivateFolder {
    /// Why a folder is not private; `nil` if it is.
    ///
    /// It must belong to this process's user, and no other user may write to it: neither all users, nor any group
    /// except the user's own. Others may read it.
    package static func complaint(about path: String) throws -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { throw FileError(action: "inspect", path: path, code: errno) }
        if status.st_uid != geteuid() {
            return AccountName.foreign(status.st_uid)
        }
        if status.st_mode & S_IWOTH != 0 { return "every user may write to it" }
        if status.st_mode & S_IWGRP != 0, !isOwnGroup(status.st_gid, of: status.st_uid) {
            return "the group \(AccountName.described(group: status.st_gid)) may write to it"
        }
        return nil
    }

    /// Whether it is the group with the user's name; on many systems each user has one.
    private static func isOwnGroup(_ group: gid_t, of user: uid_t) -> Bool {
        guard let userName = AccountName.name(of: user), let groupName = AccountName.name(ofGroup: group) else {
            return false
        }
        return userName == groupName
    }
}
