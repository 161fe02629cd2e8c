import BackgroundWorkSystem

/// The socket calls whose constants differ between systems.
package enum SocketCalls {
    /// The poll(2) events that report the client's end although it may have sent more before.
    #if BACKGROUNDWORK_HAS_DARWIN
    static let hangUpEvents: Int16 = 0
    #else
    /// POLLRDHUP, which is only defined with GNU's extensions.
    static let hangUpEvents: Int16 = 0x2000
    #endif

    /// send(2) that does not raise SIGPIPE when the peer has closed the connection.
    package static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if BACKGROUNDWORK_HAS_DARWIN
        BackgroundWorkSystem.send(descriptor, bytes.baseAddress, bytes.count, 0)
        #else
        BackgroundWorkSystem.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #endif
    }

    /// A socket that child processes do not inherit; negative on failure.
    ///
    /// - Parameter family: AF_INET for TCP, or AF_UNIX.
    package static func makeStreamSocket(_ family: Int32 = AF_INET) -> Int32 {
        #if BACKGROUNDWORK_HAS_DARWIN
        let descriptor = socket(family, SOCK_STREAM, 0)
        set(SO_NOSIGPIPE, level: SOL_SOCKET, of: descriptor)
        #elseif canImport(Musl)
        let descriptor = socket(family, SOCK_STREAM, 0)
        #else
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    /// Sends small pieces without waiting for the acknowledgement of earlier ones.
    static func sendAtOnce(_ descriptor: Int32) { set(TCP_NODELAY, level: Int32(IPPROTO_TCP), of: descriptor) }

    /// Makes close(2) send RST.
    static func resetWhenClosed(_ descriptor: Int32) {
        var lingering = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
    }

    /// Blocks until the client's system has received all that was sent, or has closed the connection: a reset
    /// discards the rest.
    static func waitUntilSent(_ descriptor: Int32) {
        while let left = unsentBytes(descriptor), left > 0 {
            var ended = pollfd(fd: descriptor, events: hangUpEvents, revents: 0)
            if poll(&ended, 1, 1) != 0 { return }
        }
    }

    private static func unsentBytes(_ descriptor: Int32) -> Int32? {
        var count: Int32 = 0
        #if BACKGROUNDWORK_HAS_DARWIN
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_NWRITE, &count, &length) == 0 ? count : nil
        #else
        return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? count : nil
        #endif
    }

    private static func set(_ option: Int32, level: Int32, of descriptor: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }
}
