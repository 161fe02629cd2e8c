import BackgroundWorkFoundation
import BackgroundWorkSystem

/// An open folder in which only this program creates files. Links in it are not followed, and files of another user are
/// not used.
///
/// Links above the folder are followed: the user decides where the folder is.
package final class OwnFolder: Sendable {
    package let path: String
    package let descriptor: Int32

    /// Opens the folder, or creates it with the mode 0700 if it does not exist.
    ///
    /// Throws ``NotOwnError`` if it is not a folder of this user, and ``FileError`` with ENOENT when there is none and
    /// `creating` is false.
    package init(path: String, creating: Bool) throws {
        if creating, SystemCall.repeated({ mkdir(path, 0o700) }) != 0, errno != EEXIST {
            throw FileError(action: "create the folder", path: path, code: errno)
        }
        // Checked first for the error message: opening a link and opening a file fail with the same error.
        if let problem = Self.problem(AT_FDCWD, path, S_IFDIR) { throw NotOwnError(path: path, problem: problem) }
        let opened = SystemCall.repeated { Self.openOwn(AT_FDCWD, path, O_RDONLY | O_DIRECTORY, 0) }
        guard opened >= 0 else { throw FileError(action: "open the folder", path: path, code: errno) }
        self.path = path
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// Opens a file in the folder. Throws ``NotOwnError`` if it is not a file of this user.
    package func open(_ name: String, _ flags: Int32, mode: mode_t = 0o600) throws -> Int32 {
        try check(name)
        let opened = SystemCall.repeated { Self.openOwn(descriptor, name, flags, mode) }
        guard opened >= 0 else { throw FileError(action: "open", path: path + "/" + name, code: errno) }
        return opened
    }

    /// Throws ``NotOwnError`` if the name exists and is not a file of this user.
    ///
    /// - Parameter type: the expected file type, of `S_IFMT`.
    package func check(_ name: String, type: mode_t = S_IFREG) throws {
        guard let problem = Self.problem(descriptor, name, type) else { return }
        throw NotOwnError(path: path + "/" + name, problem: problem)
    }

    private static func openOwn(_ folder: Int32, _ name: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
        openat(folder, name, flags | O_NOFOLLOW | O_CLOEXEC, mode)
    }

    /// Also `nil` if nothing exists at the name.
    private static func problem(_ folder: Int32, _ name: String, _ type: mode_t) -> String? {
        var status = stat()
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        if status.st_mode & S_IFMT == S_IFLNK { return "it is a symbolic link" }
        if status.st_mode & S_IFMT != type {
            return type == S_IFDIR ? "it is not a folder" : "it is not a file of the expected type"
        }
        if status.st_uid == geteuid() { return nil }
        return AccountName.foreign(status.st_uid)
    }
}

/// A folder of the program contains something that the program has not created.
package struct NotOwnError: Error, Hashable, CustomStringConvertible {
    package let path: String
    /// What is wrong with it, as a sentence without its end.
    package let problem: String

    package init(path: String, problem: String) {
        self.path = path
        self.problem = problem
    }

    package var description: String {
        "\(path) is not used: \(problem). Move it away; the program creates it again."
    }
}

extension NotOwnError: LocalizedError {
    /// The same as `description`.
    package var errorDescription: String? { description }
}
