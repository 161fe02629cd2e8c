import BackgroundWorkSystem
import Foundation
import Synchronization

@testable import BackgroundWorkSockets

/// A server on a port of 127.0.0.1 that does with each connection what a test says, on a thread of its own.
final class RawServer: Sendable {
    let port: UInt16
    private let listener: Int32

    init(_ serve: @escaping @Sendable (RawConnection) -> Void) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 1024) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard isListening else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread {
            while true {
                let connection = accept(listener, nil, nil)
                if connection < 0 {
                    // A test may leave the process without descriptors for a moment.
                    if [EINTR, ECONNABORTED, EMFILE].contains(errno) {
                        sched_yield()
                        continue
                    }
                    close(listener)
                    return
                }
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                Thread.detachNewThread { serve(RawConnection(connection)) }
            }
        }
    }

    /// The thread that listens closes the socket.
    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    var url: String { "ws://127.0.0.1:\(port)/" }
}

/// A connection of a client. Its calls block, and are for one thread; ``send(_:)`` may be called by any.
final class RawConnection: Sendable {
    struct Frame: Equatable {
        var first: UInt8
        var payload: [UInt8]
        var opcode: UInt8 { first & 0xf }
    }

    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                BackgroundWorkSystem.send(
                    descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// A frame that is not masked.
    static func frame(_ first: UInt8, _ payload: [UInt8], mask: Bool = false) -> [UInt8] {
        let bit: UInt8 = mask ? 0x80 : 0
        var bytes = [first]
        if payload.count < 126 {
            bytes.append(bit | UInt8(payload.count))
        } else if payload.count < 65_536 {
            bytes += [bit | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        } else {
            bytes.append(bit | 127)
            bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: payload.count >> ($0 * 8)) }
        }
        if mask { bytes += [0, 0, 0, 0] }
        return bytes + payload
    }

    /// The request's head without its last empty line; `nil` if there is none.
    func readHead() -> String? {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard let byte = read(1) else { return nil }
            head += byte
        }
        return String(decoding: head.dropLast(4), as: UTF8.self)
    }

    /// Reads a handshake, and agrees to it with these lines beside the usual ones.
    @discardableResult
    func accept(_ lines: [String] = []) -> String? {
        guard let head = readHead() else { return nil }
        let accept = Self.accept(for: head)
        let all =
            [
                "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: keep-alive, Upgrade",
                "Sec-WebSocket-Accept: \(accept)",
            ] + lines
        send(all.joined(separator: "\r\n") + "\r\n\r\n")
        return head
    }

    /// What answers the key of a request's head.
    static func accept(for head: String) -> String {
        let mark = "Sec-WebSocket-Key: "
        let line = head.components(separatedBy: "\r\n").first { $0.hasPrefix(mark) } ?? ""
        return HandshakeRequest.accept(for: String(line.dropFirst(mark.count))) ?? ""
    }

    /// The next frame of the client, without its mask; `nil` at the end.
    func readFrame() -> Frame? {
        guard let head = read(2) else { return nil }
        var length = Int(head[1] & 0x7f)
        if length > 125 {
            guard let long = read(length == 126 ? 2 : 8) else { return nil }
            length = long.reduce(0) { $0 << 8 | Int($1) }
        }
        guard head[1] & 0x80 != 0, let mask = read(4), let payload = read(length) else { return nil }
        return Frame(first: head[0], payload: payload.enumerated().map { $1 ^ mask[$0 & 3] })
    }

    /// So many bytes; `nil` at the end.
    func read(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var received = 0
        while received < count {
            let some = bytes.withUnsafeMutableBytes {
                recv(descriptor, $0.baseAddress! + received, count - received, 0)
            }
            guard some > 0 else { return nil }
            received += some
        }
        return bytes
    }

    /// Ends it: no more is sent or received.
    func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Reads until the client has ended it.
    func drain() { while read(1) != nil {} }
}
