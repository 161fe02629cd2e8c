/// The head of a response, as far as a download needs it.
struct ResponseHead: Sendable, Hashable {
    var status = 0
    var contentLength: Int64?
    var contentRange: ContentRange?
    var entityTag: String?
    var lastModified: String?

    /// Takes in one header line. A status line begins a new head, as after a redirect or an interim response.
    mutating func add(line: some StringProtocol) {
        if line.hasPrefix("HTTP/") {
            self = ResponseHead()
            let parts = line.split(separator: " ", maxSplits: 2)
            if parts.count > 1 { status = Int(parts[1]) ?? 0 }
            return
        }
        guard let colon = line.firstIndex(of: ":") else { return }
        var rest = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        while let last = rest.last, last.isWhitespace { rest = rest.dropLast() }
        let value = String(rest)
        switch line[..<colon].lowercased() {
        case "content-length": contentLength = Int64(value)
        case "content-range": contentRange = ContentRange(value)
        case "etag": entityTag = value
        case "last-modified": lastModified = value
        default: break
        }
    }

    /// What a later request may name in `If-Range`: a strong ETag, else the date (RFC 9110, section 13.1.5).
    var validator: String? {
        if let entityTag, entityTag.hasPrefix("\""), entityTag.count >= 2 { return entityTag }
        return lastModified
    }
}
