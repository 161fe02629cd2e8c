#if os(Linux)
import BackgroundWorkTransfers
import CBackgroundWorkLinux
import Glibc

/// The Unix socket that clients connect to.
final class ListeningSocket {
    let descriptor: Int32
    private let path: String

    /// Removes what a dead agent left, binds and listens. The caller holds the directory's lock.
    ///
    /// The address is `/proc/self/fd/<folder>/agent.sock`: short, however long the folder's own path is (unix(7) allows
    /// 108 bytes).
    init(_ paths: AgentPaths) throws(SystemCallError) {
        path = paths.socket
        let folder = open(paths.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard folder >= 0 else { throw SystemCallError("open", paths.directory) }
        defer { close(folder) }
        guard unlink(path) == 0 || errno == ENOENT else { throw SystemCallError("unlink", path) }
        let flags = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        descriptor = socket(AF_UNIX, Int32(flags), 0)
        guard descriptor >= 0 else { throw SystemCallError("socket", path) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { target in
            target.copyBytes(from: Array("/proc/self/fd/\(folder)/\(paths.socketName)".utf8.prefix(target.count - 1)))
        }
        // Only the owner may connect, from the first instant on.
        let mask = umask(0o077)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        let code = errno
        umask(mask)
        guard bound == 0, listen(descriptor, 128) == 0 else {
            close(descriptor)
            throw SystemCallError("bind", path, code: bound == 0 ? errno : code)
        }
    }

    /// A waiting connection of this user's; `nil` when none waits. Those of other users are closed at once.
    func accept() throws(SystemCallError) -> Int32? {
        while true {
            let connection = bgw_accept(descriptor)
            if connection < 0 {
                if errno == EINTR || errno == ECONNABORTED { continue }
                if errno == EAGAIN { return nil }
                throw SystemCallError("accept", path)
            }
            var uid: uid_t = 0
            var pid: pid_t = 0
            if bgw_peer_credentials(connection, &uid, &pid) == 0, uid == geteuid() { return connection }
            AgentLog.write("process \(pid) of user \(uid) was turned away: this agent serves user \(geteuid()) only")
            close(connection)
        }
    }

    /// Stops listening and removes the name, while the lock still keeps others from making their own.
    func closeAndRemove() {
        unlink(path)
        close(descriptor)
    }
}
#endif
