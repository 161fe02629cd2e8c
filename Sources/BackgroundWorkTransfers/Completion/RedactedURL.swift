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
