import BackgroundWorkSystem
import Synchronization

/// The permissions that a finished file gets.
package enum CreationMode: Sendable, Hashable {
    /// Those asked for. A volume that cannot have them is an error.
    case exactly(mode_t)
    /// Those of any new file of this process: 0666 without the umask. A volume that has no permissions keeps its own.
    case standard(mode_t)

    /// - Parameters:
    ///   - bits: those asked for; `nil` for the standard.
    ///   - folder: a folder of this package, in which a file is created to find the umask.
    package init(_ bits: UInt16?, probing folder: String) throws {
        self = if let bits { .exactly(mode_t(bits)) } else { .standard(try Self.newFileBits(probing: folder)) }
    }

    private var bits: mode_t {
        switch self {
        case .exactly(let bits), .standard(let bits): bits
        }
    }

    /// Sets them on a file of this user in a folder that only this user can change.
    package func set(onFileAt path: String) throws {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw FileError(action: "inspect", path: path, code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FileError.notRegular(action: "use", path: path)
        }
        // Also because a file whose owner may not read it cannot be opened again after a crash.
        if status.st_mode & 0o7777 == bits { return }
        let descriptor = SystemCall.repeated { open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC) }
        guard descriptor >= 0 else { throw FileError(action: "open", path: path, code: errno) }
        defer { close(descriptor) }
        try set(on: descriptor, path: path)
    }

    package func set(on descriptor: Int32, path: String) throws {
        if SystemCall.repeated({ fchmod(descriptor, bits) }) == 0 { return }
        if case .standard = self, [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EINVAL].contains(errno) { return }
        throw FileError(action: "set the permissions of", path: path, code: errno)
    }

    // MARK: The umask

    private static let known = Mutex<mode_t?>(nil)

    /// Found once in a process. The umask itself can only be read by changing it, which other threads would notice.
    private static func newFileBits(probing folder: String) throws -> mode_t {
        try known.withLock { known in
            if let known { return known }
            let bits = try probe(folder)
            known = bits
            return bits
        }
    }

    private static func probe(_ folder: String) throws -> mode_t {
        let path = "\(folder)/.mode-\(getpid())"
        unlink(path)
        let descriptor = SystemCall.repeated { open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666) }
        guard descriptor >= 0 else { throw FileError(action: "create", path: path, code: errno) }
        defer { close(descriptor) }
        unlink(path)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError(action: "inspect", path: path, code: errno) }
        return status.st_mode & 0o777
    }
}
