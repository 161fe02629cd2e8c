import BackgroundWorkFiles
import BackgroundWorkSystem
import BackgroundWorkTransfers
import CBackgroundWorkLinux

/// A connected Unix stream socket to the agent of a directory. Calls block.
final class AgentSocket: Sendable {
    private let descriptor: Int32
    /// The agent's process.
    let peer: pid_t

    /// Connects. Throws a ``FileError`` with ENOENT or ECONNREFUSED when no agent listens there, and ``NotOwnError``
    /// when the socket does not belong to the agent.
    ///
    /// The address is `/proc/self/fd/<folder>/agent.sock`, so the folder's path may be longer than the 108 bytes
    /// that a socket address holds (unix(7)).
    ///
    /// - Parameters:
    ///   - sendLimit: how long connecting and each send may take, in seconds. Then they throw a ``FileError`` with EAGAIN.
    ///   - receiveLimit: the same for each receive, until ``waitForEver()``.
    init(_ paths: AgentPaths, sendLimit: Double, receiveLimit: Duration) throws {
        let folder = try OwnFolder(path: paths.directory, creating: false)
        try folder.check(paths.socketName, type: S_IFSOCK)
        let opened = bgw_local_socket(0)
        guard opened >= 0 else { throw FileError(action: "make a socket for", path: paths.socket, code: errno) }
        Self.limit(opened, SO_SNDTIMEO, sendLimit)
        Self.limit(opened, SO_RCVTIMEO, receiveLimit / .seconds(1))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { target in
            let path = "/proc/self/fd/\(folder.descriptor)/\(paths.socketName)"
            target.copyBytes(from: Array(path.utf8.prefix(target.count - 1)))
        }
        let answer = SystemCall.repeated {
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(opened, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }
        let code = errno
        guard answer == 0 else {
            close(opened)
            throw FileError(action: "connect to the agent at", path: paths.socket, code: code)
        }
        var uid: uid_t = 0
        var pid: pid_t = 0
        guard bgw_peer_credentials(opened, &uid, &pid) == 0, uid == geteuid() else {
            close(opened)
            throw FileError(action: "trust the process of another user behind", path: paths.socket, code: EPERM)
        }
        descriptor = opened
        peer = pid
    }

    private static func limit(_ descriptor: Int32, _ option: Int32, _ seconds: Double) {
        let whole = seconds.rounded(.down)
        var limit = timeval(tv_sec: Int(whole), tv_usec: Int(((seconds - whole) * 1_000_000).rounded()))
        setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// From now on a receive waits without a limit.
    func waitForEver() { Self.limit(descriptor, SO_RCVTIMEO, 0) }

    deinit { close(descriptor) }

    /// Sends all bytes. Throws when the agent is gone.
    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Self.systemSend(descriptor, $0.baseAddress, $0.count)
            }
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw FileError(action: "write to", path: "the agent's socket", code: errno)
            }
            sent += count
        }
    }

    private static func systemSend(_ descriptor: Int32, _ base: UnsafeRawPointer?, _ count: Int) -> Int {
        BackgroundWorkSystem.send(descriptor, base, count, Int32(MSG_NOSIGNAL))
    }

    /// Puts the next bytes into `space`, and returns how many; 0 at the end of the stream.
    func receive(into space: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            let received = recv(descriptor, space.baseAddress, space.count, 0)
            if received >= 0 { return received }
            if errno != EINTR { throw FileError(action: "read from", path: "the agent's socket", code: errno) }
        }
    }

    /// Ends both directions, which wakes a thread that waits in `receive`.
    func shutDown() {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }
}
