/// A URL as messages and logs show it: without user and password, query and fragment, which may hold secrets.
struct RedactedURL: Sendable, CustomStringConvertible {
    let description: String

    init(_ url: String) {
        let clean = url.prefix { $0 != "?" && $0 != "#" }
        guard let scheme = clean.firstRange(of: "://") else {
            description = String(clean).printable
            return
        }
        let rest = clean[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        description = (String(clean[..<scheme.upperBound]) + host + rest[authority.endIndex...]).printable
    }
}

extension Substring {
    /// Without Foundation.
    fileprivate func firstRange(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            formIndex(after: &start)
        }
        return nil
    }
}
