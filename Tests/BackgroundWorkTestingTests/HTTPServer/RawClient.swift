import BackgroundWorkSystem

@testable import BackgroundWorkTesting

/// A connection on which a test decides each byte. Its calls block, for ``Curl/onThread(_:)``.
final class RawClient: Sendable {
    /// How a connection ended.
    enum End { case closed, reset }

    /// A call that failed, by its error number.
    struct Failure: Error {
        var code: Int32
    }

    private let descriptor: Int32

    init(port: UInt16) throws {
        descriptor = SocketCalls.makeStreamSocket()
        guard descriptor >= 0 else { throw Failure(code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let answer = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard answer == 0 else {
            let code = errno
            close(descriptor)
            throw Failure(code: code)
        }
    }

    deinit { close(descriptor) }

    func send(_ text: String) throws {
        let bytes = Array(text.utf8)
        let count = bytes.withUnsafeBytes { SocketCalls.send(descriptor, $0) }
        guard count == bytes.count else { throw Failure(code: errno) }
    }

    /// Tells the server that nothing more is sent.
    func endSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Some bytes; none at the end.
    func receive() -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: 16 << 10)
        let count = recv(descriptor, &piece, piece.count, 0)
        return Array(piece.prefix(max(0, count)))
    }

    /// Bytes until they end with these.
    func receive(until end: String) -> [UInt8] {
        var bytes: [UInt8] = []
        while !bytes.suffix(end.utf8.count).elementsEqual(end.utf8) {
            let piece = receive()
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }

    /// All until the connection ends, and how that was.
    func receiveAll() -> (bytes: [UInt8], end: End) {
        var bytes: [UInt8] = []
        while true {
            errno = 0
            let piece = receive()
            if piece.isEmpty { return (bytes, errno == ECONNRESET ? .reset : .closed) }
            bytes += piece
        }
    }
}
