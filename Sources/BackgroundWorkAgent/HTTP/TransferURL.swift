/// The parts of a transfer's URL that the agent itself needs. libcurl does the real parsing; nothing here decides which
/// addresses may be dialed.
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

    /// The same address with another method.
    func with(method: String) -> TransferURL {
        var changed = self
        changed.method = method
        return changed
    }

    init(_ text: String) {
        // By bytes: the separators of a URL are ASCII.
        let bytes = text.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else {
            scheme = ""
            host = ""
            redacted = String(text[..<bytes.endOfPath(from: bytes.startIndex)]).printable
            return
        }
        scheme = text[..<colon].lowercased()
        let start = bytes.index(colon, offsetBy: 3)
        let end =
            bytes[start...].firstIndex {
                $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
                    || $0 == UInt8(ascii: "\\")
            } ?? bytes.endIndex
        let address = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")).map { bytes.index(after: $0) } ?? start
        let pathEnd = bytes.endOfPath(from: end)
        let query = pathEnd < bytes.endIndex && bytes[pathEnd] == UInt8(ascii: "?") ? "?…" : ""
        host = text[address..<end].lowercased().printable
        redacted = "\(scheme)://\(text[address..<pathEnd])\(query)".printable
    }
}

extension String.UTF8View {
    /// Where a query or fragment begins; the end if there is none.
    fileprivate func endOfPath(from start: Index) -> Index {
        self[start...].firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? endIndex
    }
}
