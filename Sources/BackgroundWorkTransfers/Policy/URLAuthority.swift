/// The scheme and host of a URL, as far as proxies are chosen by them.
struct URLAuthority: Sendable, Hashable {
    /// Lower case; empty if there is none.
    var scheme = ""
    /// Without user, port, brackets and zone; lower case.
    var host = ""
    /// The same with the brackets and the zone of an IPv6 address.
    var writtenHost = ""

    init(_ url: String) {
        guard let mark = url.firstRange(of: "://") else { return }
        scheme = url[..<mark.lowerBound].lowercased()
        var authority = url[mark.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" && $0 != "\\" }
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        if authority.first == "[" {
            // The zone of a link-local address is this machine's affair.
            writtenHost = (authority.firstIndex(of: "]").map { authority[...$0] } ?? authority).lowercased()
            host = authority.dropFirst().prefix { $0 != "]" && $0 != "%" }.lowercased()
        } else {
            host = authority.prefix { $0 != ":" }.lowercased()
            writtenHost = host
        }
    }
}

/// A URL as events and outputs show it: without user, password, query and fragment, which may hold secrets.
package enum RedactedURL {
    package static func text(_ url: String) -> String {
        // By bytes: what separates the parts of a URL is ASCII.
        let bytes = url.utf8
        let end = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.endIndex
        guard let authority = bytes[..<end].startOfAuthority else { return String(url[..<end]) }
        let authorityEnd =
            bytes[authority..<end].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") } ?? end
        guard let at = bytes[authority..<authorityEnd].lastIndex(of: UInt8(ascii: "@")) else {
            return String(url[..<end])
        }
        return String(url[..<authority]) + url[bytes.index(after: at)..<end]
    }
}

extension Substring.UTF8View {
    /// What follows the first `://`.
    fileprivate var startOfAuthority: Index? {
        var rest = self
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
            if self[colon...].starts(with: "://".utf8) { return index(colon, offsetBy: 3) }
            rest = self[index(after: colon)...]
        }
        return nil
    }
}
