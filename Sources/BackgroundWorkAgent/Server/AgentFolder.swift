import BackgroundWorkFiles
import BackgroundWorkSystem
import BackgroundWorkTransfers
import CBackgroundWorkLinux

/// The agent's own folder: checked, locked for this agent, and holding its socket. Releases the lock when it is
/// deinitialized.
final class AgentFolder {
    private let paths: AgentPaths
    private let folder: OwnFolder
    private let lock: Int32

    /// What is done when another agent has the lock.
    enum Contention { case wait, giveUp }

    /// Creates or checks the folder and takes the lock. When another has it: waits until that has left, or throws
    /// ``AgentStartError/alreadyServed``.
    init(paths: AgentPaths, contention: Contention) throws {
        self.paths = paths
        folder = try OwnFolder(path: paths.directory, creating: true)
        try Self.shut(folder)
        // SQLite follows links to its log; with SQLITE_OPEN_NOFOLLOW it would also reject links above the folder.
        for suffix in ["", "-wal", "-shm"] { try folder.check(paths.journalName + suffix) }
        try folder.check(paths.socketName, type: S_IFSOCK)
        lock = try Self.takeLock(paths, folder, contention)
    }

    deinit { close(lock) }

    /// Makes the folder inaccessible for other users.
    private static func shut(_ folder: OwnFolder) throws {
        var status = stat()
        guard fstat(folder.descriptor, &status) == 0 else { throw SystemCallError("fstat", folder.path) }
        guard status.st_mode & 0o077 != 0 else { return }
        guard fchmod(folder.descriptor, 0o700) == 0 else { throw SystemCallError("fchmod", folder.path) }
        AgentLog.write("\(folder.path) was accessible to other users; its mode is now 0700")
    }

    private static func takeLock(
        _ paths: AgentPaths, _ folder: OwnFolder, _ contention: Contention
    ) throws -> Int32 {
        let lock = try folder.open(paths.lockName, O_RDWR | O_CREAT)
        var answer = flock(lock, LOCK_EX | LOCK_NB)
        if answer != 0, errno == EWOULDBLOCK, contention == .wait {
            AgentLog.write("another agent serves \(paths.schedulerDirectory); waiting until it leaves")
            answer = SystemCall.repeated { flock(lock, LOCK_EX) }
        }
        guard answer == 0 else {
            let code = errno
            close(lock)
            if code == EWOULDBLOCK { throw AgentStartError.alreadyServed(directory: paths.schedulerDirectory) }
            throw SystemCallError("flock", paths.lock, code: code)
        }
        return lock
    }

    /// Binds and listens; replaces the socket that an earlier agent left. Runs under the lock, so no other agent's
    /// socket is removed.
    func listen() throws(SystemCallError) -> Int32 {
        guard unlinkat(folder.descriptor, paths.socketName, 0) == 0 || errno == ENOENT else {
            throw SystemCallError("unlink", paths.socket)
        }
        let socket = bgw_local_socket(1)
        guard socket >= 0 else { throw SystemCallError("socket", paths.socket) }
        // Set only here: otherwise the mask would apply to staging files and launched hosts.
        let mask = umask(0o177)
        let bound = bindSocket(socket)
        let code = errno
        umask(mask)
        guard bound == 0 else {
            close(socket)
            throw SystemCallError("bind", paths.socket, code: code)
        }
        guard BackgroundWorkSystem.listen(socket, 128) == 0 else {
            let code = errno
            close(socket)
            throw SystemCallError("listen", paths.socket, code: code)
        }
        return socket
    }

    /// The folder's descriptor stands for its path, which may be longer than the 108 bytes of a socket's address.
    private func bindSocket(_ socket: Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = "/proc/self/fd/\(folder.descriptor)/\(paths.socketName)"
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    var descriptor: Int32 { folder.descriptor }

    /// Whether the lock file was deleted, and so most likely the whole folder.
    var isGone: Bool {
        var status = stat()
        return fstat(lock, &status) == 0 && status.st_nlink == 0
    }

    func removeSocket() { unlinkat(folder.descriptor, paths.socketName, 0) }
}

/// Detects when files are deleted from the agent's folder, which may include the lock file: an agent whose folder was
/// deleted must leave, or it would run beside its successor.
final class LockWatch {
    /// Readable when something was deleted; -1 when the system could not create a watch.
    let descriptor: Int32

    /// - Parameter folder: an open descriptor of the folder.
    init(folder: Int32) {
        descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard descriptor >= 0 else { return }
        _ = inotify_add_watch(descriptor, "/proc/self/fd/\(folder)", UInt32(IN_DELETE))
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Reads the pending events, so that the descriptor is readable again only after the next deletion.
    func clear() {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
        }
    }
}
