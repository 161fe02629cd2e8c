/// A `Content-Range` header in bytes (RFC 9110, section 14.4): `bytes 5-9/10`, `bytes 5-9/*` or `bytes */10`.
package struct ContentRange: Sendable, Hashable {
    /// The first and the last byte of the body; `nil` in the answer to a range that cannot be satisfied.
    package var bytes: ClosedRange<Int64>?
    /// The length of the whole, unless the server does not know it.
    package var total: Int64?

    package init(bytes: ClosedRange<Int64>?, total: Int64?) {
        self.bytes = bytes
        self.total = total
    }

    package init?(_ header: String) {
        let words = header.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[1] == "*" {
            total = nil
        } else if let length = Self.number(parts[1]) {
            total = length
        } else {
            return nil
        }
        if parts[0] == "*" {
            guard total != nil else { return nil }
            bytes = nil
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
            last < total ?? .max
        else { return nil }
        bytes = first...last
    }

    /// Digits only: `Int64.init` would take a sign as well.
    private static func number(_ text: some StringProtocol) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }
}
