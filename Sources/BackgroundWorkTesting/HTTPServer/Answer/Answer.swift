/// An answer to be sent, before a behaviour changes it.
struct Answer {
    var status: Int
    var fields: [HeaderField] = []
    var content: ResourceReader?
    /// Which bytes of the content are sent.
    var range: Range<Int64> = 0..<0

    private init(status: Int, fields: [HeaderField]) {
        self.status = status
        self.fields = fields
    }

    /// An answer without body and length, for instance 204.
    static func bare(_ status: Int, _ fields: [HeaderField] = []) -> Answer { Answer(status: status, fields: fields) }

    /// An answer with a body.
    static func bytes(
        _ status: Int, _ bytes: [UInt8], contentType: String = "text/plain", _ fields: [HeaderField] = []
    ) -> Answer {
        var answer = Answer(status: status, fields: fields + [HeaderField("Content-Type", contentType)])
        answer.content = ResourceReader(bytes)
        answer.range = 0..<Int64(bytes.count)
        return answer
    }

    /// An answer with a line of text.
    static func text(_ status: Int, _ text: String, _ fields: [HeaderField] = []) -> Answer {
        bytes(status, Array("\(text)\n".utf8), fields)
    }

    /// The answer to a request for a resource (RFC 9110, section 14); `nil` when the resource cannot be read.
    init?(_ resource: Resource, for head: RequestHead, _ behaviour: Behaviour) {
        guard var reader = ResourceReader(resource) else { return nil }
        if behaviour.isCompressed {
            reader = ResourceReader(Gzip.encode(reader.read(at: 0, count: Int(reader.size))))
        }
        let size = reader.size
        content = reader
        (status, range) = (200, 0..<size)
        // Only GET supports ranges, and If-Range compares strongly; a mismatch means the whole of the new entity.
        let isUnchanged = head.headers["if-range"].map(resource.isUnchanged) ?? true
        if head.method == "GET", !behaviour.ignoresRanges, isUnchanged, let asked = ByteRange(head.headers["range"]) {
            if let bytes = asked.bytes(of: size) {
                (status, range) = (206, bytes)
            } else {
                (status, range, content) = (416, 0..<0, nil)
            }
        }
        fields = [HeaderField("Accept-Ranges", "bytes"), HeaderField("Content-Type", resource.contentType)]
        if let text = contentRange(of: size, behaviour.contentRange) {
            fields.append(HeaderField("Content-Range", text))
        }
        if let coding = resource.contentEncoding { fields.append(HeaderField("Content-Encoding", coding)) }
        if behaviour.isCompressed { fields.append(HeaderField("Content-Encoding", "gzip")) }
        if let tag = resource.entityTag { fields.append(HeaderField("ETag", tag)) }
        if let date = resource.lastModified { fields.append(HeaderField("Last-Modified", date)) }
    }

    private func contentRange(of size: Int64, _ lie: ContentRangeLie?) -> String? {
        if status == 416 { return "bytes */\(size)" }
        guard status == 206 else { return nil }
        return switch lie {
        case .missing: nil
        case .total(let total): "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)"
        case .start(let shift): "bytes \(range.lowerBound + shift)-\(range.upperBound - 1 + shift)/\(size)"
        case nil: "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
        }
    }

    /// The status line and the header fields as the behaviour prescribes them, with the empty line after them.
    func head(_ behaviour: Behaviour, isLast: Bool) -> String {
        var sent = fields
        if isLast { sent.append(HeaderField("Connection", "close")) }
        if behaviour.isChunked, content != nil {
            sent.append(HeaderField("Transfer-Encoding", "chunked"))
        } else if !behaviour.hidesLength, status != 204, status != 304 {
            sent.append(HeaderField("Content-Length", "\(Int64(range.count) + behaviour.promisedExtraBytes)"))
        }
        let left = Set(behaviour.hiddenHeaders.map { $0.lowercased() } + behaviour.headers.map { $0.name.lowercased() })
        if !left.isEmpty { sent.removeAll { left.contains($0.name.lowercased()) } }
        let lines = [behaviour.statusLine ?? "HTTP/1.1 \(status) Test"]
        return (lines + (sent + behaviour.headers).map { "\($0.name): \($0.value)" }).joined(separator: "\r\n")
            + "\r\n\r\n"
    }
}

/// The gzip format (RFC 1952) with stored, that is uncompressed, blocks: every decoder accepts it, and zlib is not
/// needed.
enum Gzip {
    private static let blockBytes = 65_535

    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        // Magic, deflate, no flags, no time, no extra flags, an unknown system.
        var encoded: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
        encoded.reserveCapacity(bytes.count + bytes.count / blockBytes * 5 + 23)
        var start = 0
        repeat {
            let end = min(bytes.count, start + blockBytes)
            let length = UInt16(end - start)
            encoded.append(end == bytes.count ? 1 : 0)
            encoded += littleEndian(UInt32(length), bytes: 2) + littleEndian(UInt32(~length), bytes: 2)
            encoded += bytes[start..<end]
            start = end
        } while start < bytes.count
        encoded += littleEndian(checksum(bytes), bytes: 4)
        return encoded + littleEndian(UInt32(truncatingIfNeeded: bytes.count), bytes: 4)
    }

    private static func littleEndian(_ number: UInt32, bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: number >> UInt32($0 * 8)) }
    }

    /// The CRC-32 that gzip uses.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
    }

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1 }
    }
}
