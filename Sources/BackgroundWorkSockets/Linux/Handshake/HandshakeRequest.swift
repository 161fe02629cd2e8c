import BackgroundWorkFiles
import BackgroundWorkFoundation

/// The client's part of an opening handshake (RFC 6455, section 4.1). Pure.
struct HandshakeRequest: Sendable {
    /// To be sent as they are.
    let bytes: [UInt8]
    /// What the server's `Sec-WebSocket-Accept` has to be.
    let accept: String

    /// - Parameter nonce: 16 random bytes.
    init(_ socket: PreparedSocket, nonce: [UInt8]) throws(WebSocketError) {
        let key = Data(nonce).base64EncodedString()
        guard let accept = Self.accept(for: key) else {
            throw .network("SHA-1 is not available: libcrypto (package libssl3) is missing", socket.url)
        }
        self.accept = accept
        let (host, target) = Self.destination(of: socket.http.address)
        var lines = [
            "GET \(target) HTTP/1.1", "Host: \(host)", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13",
        ]
        if !socket.subprotocols.isEmpty {
            lines.append("Sec-WebSocket-Protocol: \(socket.subprotocols.joined(separator: ", "))")
        }
        if let compression = socket.compression {
            lines.append("Sec-WebSocket-Extensions: \(DeflateParameters.offer(compression))")
        }
        lines += socket.http.fields.map { "\($0.name): \($0.value)" }
        bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// The answer to a key; `nil` where there is no SHA-1.
    static func accept(for key: String) -> String? {
        guard let digest = try? StreamingDigest(.sha1) else { return nil }
        Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8).withUnsafeBytes(digest.update)
        guard let hex = try? digest.finish() else { return nil }
        let digits = hex.utf8.map { UInt8($0 > 0x39 ? $0 - 0x57 : $0 - 0x30) }
        let bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        return Data(bytes).base64EncodedString()
    }

    /// Host and port as `Host` has them, and what stands in the request's first line.
    static func destination(of address: String) -> (host: String, target: String) {
        // A name that is not ASCII is sent as it is asked for in the domain name system, and other characters encoded.
        let isPlain = address.utf8.allSatisfy { $0 < 0x80 }
        let address = isPlain ? address : URL(string: address)?.absoluteString ?? address
        let parts = URLParts(address)
        // The zone is this machine's affair.
        let host = parts.host.hasPrefix("[") ? "[\(parts.bareHost)]" : parts.host
        let target = address.utf8.firstIndex(of: UInt8(ascii: "?")).map { String(address[$0...]) } ?? ""
        return (
            parts.port.isEmpty ? host : "\(host):\(parts.port)", (parts.path.isEmpty ? "/" : parts.path) + target
        )
    }
}
