import BackgroundWorkTransfers

/// The headers of a response that the agent uses, read line by line. A new status line (after a redirect or an interim
/// response) starts a new response.
package struct ResponseHeaders: Sendable, RangeResponse {
    package private(set) var status = 0
    /// The server's reason phrase; may be empty.
    package private(set) var reason = ""
    package private(set) var entityTag: String?
    package private(set) var lastModified: String?
    package private(set) var contentRange: String?
    package private(set) var contentLength: Int64?
    /// Whether its content length is not valid: not a number, or two different ones (RFC 9112, section 6.3). The end of
    /// such a body is unknown.
    package private(set) var hasInvalidLength = false
    package private(set) var contentEncoding: String?
    /// Other headers that are kept, by names in lower case; none if all are.
    package private(set) var fields: [String: String] = [:]

    /// Every field of the head, in their order, if they are kept.
    package private(set) var all: [HeaderLine] = []
    private var keepsAll = false
    /// Whether the empty line after the head was received; what follows are trailers.
    package private(set) var isEnded = false

    /// Reserved at once, so that the dictionary does not grow step by step.
    private static let usualFields = 8

    package init() {}

    /// - Parameter keepsAll: whether ``all`` is filled.
    package init(keepsAll: Bool) { self.keepsAll = keepsAll }

    package mutating func add(line: String) {
        let line = line[...].trimmed
        if line.hasPrefix("HTTP/") {
            self = ResponseHeaders(keepsAll: keepsAll)
            if keepsAll {
                all.reserveCapacity(Self.usualFields)
            } else {
                fields.reserveCapacity(Self.usualFields)
            }
            let words = line.split(separator: " ", maxSplits: 2)
            status = words.count > 1 ? Int(words[1]) ?? 0 : 0
            reason = words.count > 2 ? Self.shortened(words[2]).printable : ""
            return
        }
        if line.isEmpty { isEnded = true }
        guard !isEnded else { return }
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return }
        let value = String(line[line.utf8.index(after: colon)...].trimmed)
        if keepsAll { all.append(HeaderLine(name: String(line[..<colon]), value: value)) }
        let name = line[..<colon].lowercased()
        if !keepsAll, ResponseHeaderNames.kept.contains(name), value.utf8.count <= ResponseHeaderNames.longestValue {
            fields[name] = value.printable
        }
        switch name {
        case "etag": entityTag = value
        case "last-modified": lastModified = value
        case "content-range": contentRange = value
        case "content-length": addLength(value)
        case "content-encoding":
            contentEncoding = (contentEncoding.map { $0 + ", " } ?? "") + value.lowercased()
        default: break
        }
    }

    /// Cut between two words, since a part of a secret would not be recognized as one.
    private static func shortened(_ reason: Substring) -> String {
        let start = reason.prefix(80)
        guard start.endIndex < reason.endIndex else { return String(start) }
        return start.lastIndex(of: " ").map { String(start[..<$0]) } ?? ""
    }

    /// The same number may be repeated, in one field or in several.
    private mutating func addLength(_ value: String) {
        for part in value.split(separator: ",", omittingEmptySubsequences: false) {
            let digits = part.trimmed
            guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int64(digits),
                length == contentLength ?? length
            else {
                hasInvalidLength = true
                return
            }
            contentLength = length
        }
    }

    package subscript(name: String) -> String? { fields[name] }

    /// Whether the body has a content coding that must be decoded.
    package var isEncoded: Bool { contentEncoding.map { $0 != "identity" && !$0.isEmpty } ?? false }
    /// Whether the server announces that it supports byte ranges.
    package var takesRanges: Bool { status == 206 || fields["accept-ranges"]?.lowercased() == "bytes" }
}

/// A field of a head as it was received.
package struct HeaderLine: Sendable, Hashable {
    package let name: String
    package let value: String
}

extension Substring {
    /// Without blanks, tabs and the ends of lines around it.
    fileprivate var trimmed: Substring {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0d).contains($0) }
        guard let start = utf8.firstIndex(where: { !isSpace($0) }), let end = utf8.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return self[start...end]
    }
}
