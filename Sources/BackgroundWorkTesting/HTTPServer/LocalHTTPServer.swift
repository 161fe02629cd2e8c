import BackgroundWorkFiles
import BackgroundWorkFoundation
import Synchronization

import BackgroundWorkSystem

/// A small HTTP/1.1 server on 127.0.0.1 for tests and demonstrations, which can be told to misbehave.
///
/// It has a thread for each connection and does not block Swift's threads.
///
/// ```swift
/// let server = try LocalHTTPServer()
/// server.serve(.bytes(Array("hello".utf8)), at: "/greeting")
/// server.setBehaviour(.closeAfter(bytes: 3), for: "/greeting")
/// try server.start()
/// ```
public final class LocalHTTPServer: Sendable {
    /// The port that it listens on.
    public let port: UInt16
    private let listener: Int32
    private let isServed = Atomic(false)
    let state: ServerState

    /// Binds a port of 127.0.0.1, a free one if `port` is 0. Nothing is answered before ``start()``.
    ///
    /// Throws ``LocalServerError``.
    ///
    /// - Parameter logFile: created here; each request is appended to it as a line of JSON when its answer ends, as
    ///   long as the file exists.
    public init(port: UInt16 = 0, logFile: String? = nil) throws {
        let listener = SocketCalls.makeStreamSocket()
        guard listener >= 0 else { throw LocalServerError(action: "create a socket", code: errno) }
        var on: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        // Small, so that the number of sent bytes is close to the number of received ones.
        var buffer: Int32 = 64 << 10
        setsockopt(listener, SOL_SOCKET, SO_SNDBUF, &buffer, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let answer = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 4096) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard answer else {
            let code = errno
            close(listener)
            throw LocalServerError(action: "listen on 127.0.0.1:\(port)", code: code)
        }
        self.listener = listener
        self.port = UInt16(bigEndian: address.sin_port)
        state = ServerState(logFile: logFile)
    }

    deinit {
        stop()
        // Otherwise its thread closes it.
        if !isServed.load(ordering: .acquiring) { close(listener) }
    }

    /// Starts to answer. Throws ``LocalServerError`` when no thread can be started.
    public func start() throws {
        let (listener, state) = (listener, state)
        guard state.connections.add(listener: listener) else { return }
        let isStarted = SystemThread.start {
            Self.serve(listener, state)
            state.connections.removeListener()
            close(listener)
        }
        guard isStarted else {
            state.connections.removeListener()
            throw LocalServerError(action: "start a thread", code: EAGAIN)
        }
        isServed.store(true, ordering: .releasing)
    }

    private static func serve(_ listener: Int32, _ state: ServerState) {
        while !state.isStopped {
            let connection = accept(listener, nil, nil)
            if connection < 0 {
                if errno == EINTR || errno == ECONNABORTED { continue }
                guard [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) else { return }
                // Connections in progress will free the missing resources.
                usleep(10_000)
                continue
            }
            _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
            guard let number = state.connections.add(connection) else {
                close(connection)
                return
            }
            let isServed = SystemThread.start(stackBytes: connectionStackBytes) {
                ServerConnection(socket: ConnectionSocket(connection), number: number, state: state).run()
                state.connections.remove(connection)
                close(connection)
            }
            if !isServed {
                state.connections.remove(connection)
                close(connection)
            }
        }
    }

    /// Small, so that thousands of them fit.
    private static let connectionStackBytes = 256 << 10

    /// Closes the port and all connections, also in the middle of an answer.
    public func stop() {
        guard state.connections.stop({ _ = shutdown($0, Int32(SHUT_RDWR)) }) else { return }
        state.log.close()
    }

    /// The URL of a path that starts with `/`.
    public func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Serves a resource at a path, from the next request on.
    public func serve(_ resource: Resource, at path: String) { state.routes.serve(resource, at: path) }

    /// Sets the behaviour for the requests for a path, from the next one on. With a method, only for requests with
    /// that method.
    public func setBehaviour(_ behaviour: Behaviour, for path: String, method: String? = nil) {
        setBehaviours([behaviour], for: path, method: method)
    }

    /// Sets the behaviours for the next requests for a path, one after the other; the last one is repeated.
    ///
    /// With a method, only requests with that method count, and those with other methods use what is set without one.
    /// Requests that are rejected for their credentials do not count.
    public func setBehaviours(_ behaviours: [Behaviour], for path: String, method: String? = nil) {
        state.script.set(behaviours, for: path, method: method)
    }

    /// Continues bodies that ``Behaviour/holdAfter(bytes:)`` and ``Behaviour/holdUpload(after:)`` hold: to their end,
    /// or up to this many bytes, where they are held again until the next release. Bytes are counted from the body's
    /// start, as in the behaviour, and not from where it was held.
    ///
    /// A release also applies to later requests, until their path's behaviours are set again.
    public func release(_ path: String, upTo bytes: Int64 = .max) { state.script.release(path, upTo: bytes) }

    /// All requests so far, in order.
    public var requests: [LoggedRequest] { state.log.requests }

    /// How many connections are open now.
    public var openConnections: Int { state.connections.count }

    /// How many it has accepted in all, also those that brought no request.
    package var acceptedConnections: Int { state.connections.total }

    /// Returns as soon as `isSatisfied` accepts the requests, or the server has stopped.
    ///
    /// When many changes follow each other, not each of them is checked, so wait for a lasting condition.
    public func wait(until isSatisfied: @escaping @Sendable ([LoggedRequest]) -> Bool) async {
        await state.log.wait(until: isSatisfied)
    }
}

/// A local server could not be started.
public struct LocalServerError: Error, Hashable, CustomStringConvertible {
    /// The action that failed.
    public let action: String
    /// The system's error number (errno).
    public let code: Int32

    /// The action, and why it failed.
    public var description: String { "The local server cannot \(action): \(String(cString: strerror(code)))" }
}

extension LocalServerError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
