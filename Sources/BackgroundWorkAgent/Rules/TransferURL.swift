/// The parts of a transfer's URL that the agent itself needs. libcurl does the real parsing; nothing here decides what
/// may be dialled.
struct TransferURL: Sendable, Hashable {
    /// Lower case; empty if there is none.
    var scheme: String
    /// Host and port, lower case: transfers to the same one share its slots.
    var host: String
    /// The request's method, for messages.
    var method = "GET"
    /// For messages and logs: without user info and fragment, the query replaced by `…`.
    var redacted: String

    /// Method and URL as messages name them.
    var label: String { "\(method) \(redacted)" }

    init(_ text: String, method: String) { self = TransferURL(text).with(method: method) }

    /// The same address, asked by another method.
    func with(method: String) -> TransferURL {
        var changed = self
        changed.method = method
        return changed
    }

    init(_ text: String) {
        // By bytes: what separates the parts of a URL is ASCII.
        let bytes = text.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else {
            scheme = ""
            host = ""
            redacted = String(text[..<bytes.firstIndex(of: "?#", from: bytes.startIndex)]).printable
            return
        }
        scheme = text[..<colon].lowercased()
        let start = bytes.index(colon, offsetBy: 3)
        let end = bytes.firstIndex(of: "/?#\\", from: start)
        let address = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")).map { bytes.index(after: $0) } ?? start
        let pathEnd = bytes.firstIndex(of: "?#", from: end)
        let query = pathEnd < bytes.endIndex && bytes[pathEnd] == UInt8(ascii: "?") ? "?…" : ""
        host = text[address..<end].lowercased().printable
        redacted = "\(scheme)://\(text[address..<pathEnd])\(query)".printable
    }
}

extension String.UTF8View {
    /// Where the first of some characters stands; the end if none does.
    fileprivate func firstIndex(of some: String, from start: Index) -> Index {
        self[start...].firstIndex { some.utf8.contains($0) } ?? endIndex
    }
}
