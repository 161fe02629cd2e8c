/// A `Content-Range` of bytes (RFC 9110, section 14.4).
struct ContentRange: Sendable, Hashable {
    /// The first byte; `nil` in an answer with 416.
    var start: Int64?
    /// The length of the whole; `nil` if the server does not know it.
    var total: Int64?

    /// `bytes 5-9/10`, `bytes 5-9/*` or `bytes */10`; `nil` for anything else.
    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[1] != "*" {
            guard let total = Int64(parts[1]) else { return nil }
            self.total = total
        }
        if parts[0] == "*" { return }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let start = Int64(ends[0]), let end = Int64(ends[1]), start <= end else { return nil }
        self.start = start
    }
}
