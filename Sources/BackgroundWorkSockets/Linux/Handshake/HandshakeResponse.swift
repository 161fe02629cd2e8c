import BackgroundWorkExchange
import BackgroundWorkFoundation

/// The server's part of an opening handshake, read from pieces of any length. Pure.
struct HandshakeResponse {
    private static let headLimit = 64 << 10

    private(set) var headers = ResponseHeaders(keepsAll: true)
    private var line: [UInt8] = []
    private var headBytes = 0
    private(set) var body = Data()
    private(set) var hasHead = false

    init() {}

    /// Takes bytes, and returns how many: all but those that follow the head of a 101.
    mutating func take(_ bytes: UnsafeRawBufferPointer) throws(FrameFault) -> Int {
        var used = 0
        while !hasHead, used < bytes.count {
            let byte = bytes[used]
            used += 1
            headBytes += 1
            guard headBytes <= Self.headLimit else { throw .violation("its answer has more than 64 KiB of headers") }
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            try end(String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self))
            line = []
        }
        guard hasHead, status != 101 else { return used }
        body.append(contentsOf: bytes[used...].prefix(WebSocketRejection.bodyLimit - body.count))
        return bytes.count
    }

    private mutating func end(_ line: String) throws(FrameFault) {
        if headers.status == 0 {
            guard line.hasPrefix("HTTP/1."), line.utf8.count >= 12 else {
                throw .violation("its answer is not HTTP/1.1")
            }
            headers.add(line: line)
            guard (100...599).contains(headers.status) else { throw .violation("its answer has no valid status") }
            return
        }
        headers.add(line: line)
        guard headers.isEnded else { return }
        // What is said in between.
        if (100...199).contains(status), status != 101 {
            headers = ResponseHeaders(keepsAll: true)
        } else {
            hasHead = true
        }
    }

    var status: Int { headers.status }

    /// Of an answer that is no 101: whether as much of the body is here as is kept.
    var hasBody: Bool {
        let length = headers.contentLength ?? .max
        return hasHead && (body.count >= WebSocketRejection.bodyLimit || Int64(body.count) >= length)
    }

    var fields: HTTPHeaders { HTTPHeaders(headers.all.map { .init(name: $0.name, value: $0.value) }) }

    func rejection(now: WallTime) -> WebSocketRejection {
        WebSocketRejection(
            status: status, headers: fields, body: APIText.excerpt(of: body, limit: WebSocketRejection.bodyLimit),
            now: now)
    }

    /// What the server agrees to (RFC 6455, section 4.1).
    func opening(
        _ socket: PreparedSocket, accept: String
    ) throws(FrameFault) -> (opening: WebSocketOpening, deflate: DeflateParameters?) {
        let fields = fields
        func tokens(_ name: String) -> [String] {
            (fields[name] ?? "").split(separator: ",").map { $0.trimmingBlanks.lowercased() }
        }
        guard tokens("Upgrade") == ["websocket"] else { throw .violation("its 101 does not upgrade to a WebSocket") }
        guard tokens("Connection").contains("upgrade") else { throw .violation("its 101 has no Connection: Upgrade") }
        guard fields.values(of: "Sec-WebSocket-Accept") == [accept] else {
            throw .violation("its Sec-WebSocket-Accept does not answer the key")
        }
        let chosen = fields.values(of: "Sec-WebSocket-Protocol")
        guard chosen.count <= 1, chosen.allSatisfy(socket.subprotocols.contains) else {
            throw .violation("it has chosen a subprotocol that was not offered")
        }
        let deflate = try DeflateParameters.agreed(fields["Sec-WebSocket-Extensions"], socket.compression)
        return (WebSocketOpening(subprotocol: chosen.first, headers: fields), deflate)
    }
}
