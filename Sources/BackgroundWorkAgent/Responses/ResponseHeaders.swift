/// What the agent reads of a response's head, fed line by line. A new status line (after a redirect or an interim
/// response) begins anew.
struct ResponseHeaders: Sendable, Hashable {
    private(set) var status = 0
    /// The server's words beside the status; may be empty.
    private(set) var reason = ""
    private(set) var entityTag: String?
    private(set) var lastModified: String?
    private(set) var contentRange: String?
    private(set) var contentLength: Int64?
    private(set) var contentEncoding: String?

    init() {}

    mutating func add(line: String) {
        let line = line.trimmed
        if line.hasPrefix("HTTP/") {
            self = ResponseHeaders()
            let words = line.split(separator: " ", maxSplits: 2)
            status = words.count > 1 ? Int(words[1]) ?? 0 : 0
            reason = words.count > 2 ? String(words[2].prefix(80)).printable : ""
            return
        }
        guard let colon = line.firstIndex(of: ":") else { return }
        let value = String(line[line.index(after: colon)...]).trimmed
        switch line[..<colon].lowercased() {
        case "etag": entityTag = value
        case "last-modified": lastModified = value
        case "content-range": contentRange = value
        case "content-length": contentLength = Int64(value)
        case "content-encoding": contentEncoding = value.lowercased()
        default: break
        }
    }

    /// What `If-Range` may carry: a strong entity tag, or else the date (RFC 9110, section 13.1.5). A weak tag says
    /// nothing about single bytes.
    var validator: String? {
        if let entityTag, entityTag.hasPrefix("\""), entityTag.count >= 2, entityTag.hasSuffix("\"") {
            return entityTag
        }
        guard let lastModified, !lastModified.isEmpty else { return nil }
        return lastModified
    }
}

extension String {
    fileprivate var trimmed: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0.isNewline }
        guard let start = firstIndex(where: { !isSpace($0) }), let end = lastIndex(where: { !isSpace($0) }) else {
            return ""
        }
        return String(self[start...end])
    }
}
