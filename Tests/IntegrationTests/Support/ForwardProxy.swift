import BackgroundWorkSystem
import Foundation
import Synchronization

/// An HTTP proxy with `CONNECT` and plain requests, on a port of 127.0.0.1, with a thread for each connection.
///
/// It looks names up by itself: those of `hosts`, all of which are on this machine, and addresses of this machine.
final class ForwardProxy: Sendable {
    struct Request: Sendable, Hashable {
        /// `GET http://host/path HTTP/1.1`.
        var line: String
        /// In lower case.
        var headers: [String: String]
        var status: Int
    }

    let port: UInt16
    private let listener: Int32
    private let hosts: [String: UInt16]
    private let credentials: String?
    private let log = Mutex<[Request]>([])
    private let end = End()

    /// Also known to the thread that listens, which holds nothing else of the proxy.
    private final class End: Sendable {
        let hasCome = Atomic(false)
    }

    /// - Parameters:
    ///   - hosts: the names that it knows, and the local port behind each.
    ///   - user: asks for Basic credentials if given, as `user:password`.
    init(hosts: [String: UInt16] = [:], user: String? = nil) throws {
        self.hosts = hosts
        credentials = user.map { "Basic " + Data($0.utf8).base64EncodedString() }
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = Self.address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isListening else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [weak self, end] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else {
                    guard end.hasCome.load(ordering: .acquiring) else { continue }
                    close(listener)
                    return
                }
                guard let proxy = self else {
                    close(connection)
                    continue
                }
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                Thread.detachNewThread { proxy.serve(connection) }
            }
        }
    }

    deinit { stop() }

    /// Once: the number of a socket that is closed may be another's.
    func stop() {
        if end.hasCome.exchange(true, ordering: .acquiringAndReleasing) { return }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    var url: String { "http://127.0.0.1:\(port)" }
    var requests: [Request] { log.withLock { $0 } }

    // MARK: One connection

    private func serve(_ client: Int32) {
        defer { close(client) }
        guard let head = Self.readHead(client) else { return }
        let lines = head.split(separator: "\r\n").map(String.init)
        let words = (lines.first ?? "").split(separator: " ").map(String.init)
        guard words.count == 3 else { return }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
                in: .whitespaces)
        }
        func answer(_ status: Int, _ rest: String = "Content-Length: 0\r\nConnection: close\r\n") {
            log.withLock { $0.append(Request(line: lines[0], headers: headers, status: status)) }
            Self.send(Array("HTTP/1.1 \(status) Proxy\r\n\(rest)\r\n".utf8), to: client)
        }
        if let credentials, headers["proxy-authorization"] != credentials {
            return answer(
                407, "Proxy-Authenticate: Basic realm=\"proxy\"\r\nContent-Length: 0\r\nConnection: close\r\n")
        }
        let isTunnel = words[0] == "CONNECT"
        let target = isTunnel ? "http://\(words[1])" : words[1]
        guard let url = URLComponents(string: target), let host = url.host else { return answer(400) }
        guard let server = dial(host, url.port ?? (isTunnel ? 443 : 80)) else { return answer(502) }
        defer { close(server) }
        if isTunnel {
            answer(200, "")
        } else {
            log.withLock { $0.append(Request(line: lines[0], headers: headers, status: 200)) }
            let path =
                (url.percentEncodedPath.isEmpty ? "/" : url.percentEncodedPath) + (url.query.map { "?\($0)" } ?? "")
            let passed = lines.dropFirst().filter {
                !$0.lowercased().hasPrefix("proxy-") && !$0.lowercased().hasPrefix("connection:")
            }
            let request = ["\(words[0]) \(path) HTTP/1.1"] + passed + ["Connection: close", "", ""]
            Self.send(Array(request.joined(separator: "\r\n").utf8), to: server)
        }
        Self.relay(client, server)
    }

    private func dial(_ host: String, _ port: Int) -> Int32? {
        guard let target = hosts[host] ?? (host == "127.0.0.1" ? UInt16(port) : nil) else { return nil }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = Self.address(target)
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        if isConnected { return descriptor }
        close(descriptor)
        return nil
    }

    // MARK: Bytes

    private static func readHead(_ descriptor: Int32) -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while !bytes.suffix(4).elementsEqual([13, 10, 13, 10]) {
            guard bytes.count < 64 << 10, recv(descriptor, &byte, 1, 0) == 1 else { return nil }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func send(_ bytes: [UInt8], to descriptor: Int32) {
        var sent = 0
        while sent < bytes.count {
            let count = BackgroundWorkSystem.send(
                descriptor, Array(bytes[sent...]), bytes.count - sent, Int32(MSG_NOSIGNAL))
            if count <= 0 { return }
            sent += count
        }
    }

    /// Passes bytes both ways until either side has ended.
    private static func relay(_ client: Int32, _ server: Int32) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            var watched = [
                pollfd(fd: client, events: Int16(POLLIN), revents: 0),
                pollfd(fd: server, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&watched, 2, -1) > 0 else { return }
            for (index, other) in [(0, server), (1, client)] where watched[index].revents != 0 {
                let count = recv(watched[index].fd, &buffer, buffer.count, 0)
                if count <= 0 { return }
                send(Array(buffer[..<count]), to: other)
            }
        }
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }
}
