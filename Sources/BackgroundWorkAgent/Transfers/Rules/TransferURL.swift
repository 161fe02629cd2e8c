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
        guard let mark = text.firstRange(ofSchemeEnd: "://") else {
            scheme = ""
            host = ""
            redacted = String(text.prefix { $0 != "?" && $0 != "#" }).printable
            return
        }
        scheme = text[..<mark.lowerBound].lowercased()
        let rest = text[mark.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" && $0 != "\\" }
        let address = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        let path = rest[authority.endIndex...].prefix { $0 != "?" && $0 != "#" }
        let query = path.endIndex < rest.endIndex && rest[path.endIndex] == "?" ? "?…" : ""
        host = address.lowercased().printable
        redacted = "\(scheme)://\(address)\(path)\(query)".printable
    }
}

extension String {
    fileprivate func firstRange(ofSchemeEnd mark: String) -> Range<String.Index>? {
        guard let colon = firstIndex(of: ":"), self[colon...].hasPrefix(mark) else { return nil }
        return colon..<index(colon, offsetBy: mark.count)
    }
}
