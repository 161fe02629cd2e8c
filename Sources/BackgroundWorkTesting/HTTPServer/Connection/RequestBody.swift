/// The body of a request as it arrives, with a Content-Length or in chunks (RFC 9112, sections 6 and 7).
final class RequestBody {
    enum Piece {
        case bytes([UInt8])
        case end
        /// The client has closed the connection, or sent an invalid body.
        case broken
    }

    private enum Framing {
        case length(left: Int64)
        case chunk(left: Int64)
        case end
    }

    private var framing: Framing
    private let socket: ConnectionSocket
    /// Whether there is anything to receive.
    let isPresent: Bool

    init(_ head: RequestHead, _ socket: ConnectionSocket) throws(RequestParser.Malformed) {
        self.socket = socket
        let length = head.headers["content-length"]
        if let coding = head.headers["transfer-encoding"] {
            guard coding.lowercased() == "chunked", length == nil else { throw .badRequest }
            framing = .chunk(left: 0)
            isPresent = true
        } else if let length {
            guard let count = Int64(length), count >= 0 else { throw .badRequest }
            framing = .length(left: count)
            isPresent = count > 0
        } else {
            framing = .end
            isPresent = false
        }
    }

    /// The next bytes of the body, `limit` of them at most.
    func next(atMost limit: Int) -> Piece {
        switch framing {
        case .end: return .end
        case .length(let left):
            if left == 0 { return .end }
            return read(atMost: min(Int64(limit), left)) { .length(left: left - $0) }
        case .chunk(let left):
            if left > 0 { return readChunk(atMost: min(Int64(limit), left), left: left) }
            guard let line = socket.readLine(), let size = Int64(line.prefix { $0 != ";" && $0 != " " }, radix: 16),
                size >= 0
            else { return .broken }
            if size > 0 { return readChunk(atMost: min(Int64(limit), size), left: size) }
            // Trailer fields, which are ignored, and the empty line after them.
            while let trailer = socket.readLine() {
                if trailer.isEmpty {
                    framing = .end
                    return .end
                }
            }
            return .broken
        }
    }

    private func readChunk(atMost limit: Int64, left: Int64) -> Piece {
        let piece = read(atMost: limit) { .chunk(left: left - $0) }
        if case .chunk(left: 0) = framing, case .bytes = piece, socket.readLine() != "" { return .broken }
        return piece
    }

    private func read(atMost limit: Int64, _ rest: (Int64) -> Framing) -> Piece {
        let bytes = socket.read(atMost: Int(limit))
        if bytes.isEmpty { return .broken }
        framing = rest(Int64(bytes.count))
        return .bytes(bytes)
    }
}
