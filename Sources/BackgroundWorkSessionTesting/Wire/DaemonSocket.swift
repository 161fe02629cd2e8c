import BackgroundWorkFiles
import BackgroundWorkSystem
import BackgroundWorkTesting

/// One end of a connection between an app and the simulated daemon, or the daemon's listening end. Calls block.
final class DaemonSocket: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Throws a `FileError` when nothing listens there.
    static func connected(to path: String) throws -> DaemonSocket {
        try opened(path, "connect to") { connect($0, $1, $2) }
    }

    /// Throws a `FileError` when the path is taken, or longer than a socket's address may be.
    static func listening(at path: String) throws -> DaemonSocket {
        try opened(path, "listen at") { descriptor, address, length in
            let code = bind(descriptor, address, length)
            return code == 0 ? listen(descriptor, 16) : code
        }
    }

    private static func opened(
        _ path: String, _ action: String, _ open: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws -> DaemonSocket {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let room = withUnsafeMutableBytes(of: &address.sun_path) { target in
            target.copyBytes(from: bytes.prefix(target.count - 1))
            return target.count - 1
        }
        guard bytes.count <= room else { throw FileError(action: action, path: path, code: ENAMETOOLONG) }
        let descriptor = SocketCalls.makeStreamSocket(AF_UNIX)
        guard descriptor >= 0 else { throw FileError(action: "make a socket for", path: path, code: errno) }
        let socket = DaemonSocket(descriptor)
        let answer = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                open(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard answer == 0 else { throw FileError(action: action, path: path, code: errno) }
        return socket
    }

    /// Waits for the next connection; `nil` when the socket can take no more.
    func accepted() -> DaemonSocket? {
        while true {
            let descriptor = accept(descriptor, nil, nil)
            if descriptor < 0, errno == EINTR || errno == ECONNABORTED { continue }
            guard descriptor >= 0 else { return nil }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            return DaemonSocket(descriptor)
        }
    }

    /// Sends all bytes. Throws when the other end is gone.
    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { SocketCalls.send(descriptor, $0) }
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw FileError(action: "write to", path: "the simulated daemon's socket", code: errno)
            }
            sent += count
        }
    }

    /// Puts the next bytes into `space`, and returns how many; 0 at the end of the stream.
    func receive(into space: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            let received = recv(descriptor, space.baseAddress, space.count, 0)
            if received >= 0 { return received }
            if errno != EINTR {
                throw FileError(action: "read from", path: "the simulated daemon's socket", code: errno)
            }
        }
    }

    /// Ends both directions, which wakes a thread that waits in ``receive(into:)``.
    func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
}
