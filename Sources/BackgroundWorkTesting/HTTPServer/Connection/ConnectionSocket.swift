import BackgroundWorkSystem

/// The socket of one connection, with blocking calls and a buffer of bytes that were read ahead.
final class ConnectionSocket {
    private static let readBytes = 16 << 10
    private static let maximumLineBytes = 8 << 10

    private let descriptor: Int32
    private var buffer: [UInt8] = []

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        SocketCalls.sendAtOnce(descriptor)
    }

    /// The next request's head; `nil` when the client has ended the connection.
    func readHead() throws(RequestParser.Malformed) -> RequestHead? {
        while true {
            if let (head, consumed) = try RequestParser.parse(buffer) {
                buffer.removeFirst(consumed)
                return head
            }
            guard fill() else { return nil }
        }
    }

    /// A line without its end; `nil` when there is none, or its end is missing.
    func readLine() -> String? {
        while true {
            if let end = buffer.firstIndex(of: 0x0a) {
                let line = buffer[..<end]
                defer { buffer.removeFirst(end + 1) }
                return String(decoding: line.last == 0x0d ? line.dropLast() : line, as: UTF8.self)
            }
            guard buffer.count < Self.maximumLineBytes, fill() else { return nil }
        }
    }

    /// Some bytes; none at the end of the connection.
    func read(atMost limit: Int) -> [UInt8] {
        if buffer.isEmpty { return receive(limit) }
        defer { buffer.removeFirst(min(limit, buffer.count)) }
        return Array(buffer.prefix(limit))
    }

    /// Discards what arrives until the client ends the connection or the server stops.
    func discardUntilEnd() {
        buffer = []
        while !receive(64 << 10).isEmpty {}
    }

    private func fill() -> Bool {
        let bytes = receive(Self.readBytes)
        buffer += bytes
        return !bytes.isEmpty
    }

    private func receive(_ limit: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: limit) { space, count in
            var answer = 0
            repeat { answer = recv(descriptor, space.baseAddress, limit, 0) } while answer < 0 && errno == EINTR
            count = max(0, answer)
        }
    }

    /// Whether all bytes could be written to the socket.
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { SocketCalls.send(descriptor, $0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Blocks until the gate is open; false when the client closes the connection or the server stops first.
    func wait(for gate: ReleaseGate) -> Bool {
        while true {
            var waiting = [
                pollfd(fd: descriptor, events: SocketCalls.hangUpEvents, revents: 0),
                pollfd(fd: gate.signal, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&waiting, 2, -1)
            if count < 0, errno == EINTR { continue }
            return count > 0 && waiting[0].revents == 0
        }
    }

    /// Ends the connection according to its fate, except for closing the descriptor.
    func end(_ fate: ConnectionFate) {
        switch fate {
        case .continues, .closes: _ = shutdown(descriptor, Int32(SHUT_WR))
        case .lingers:
            _ = shutdown(descriptor, Int32(SHUT_WR))
            discardUntilEnd()
        case .resets:
            SocketCalls.waitUntilSent(descriptor)
            SocketCalls.resetWhenClosed(descriptor)
        }
    }
}
