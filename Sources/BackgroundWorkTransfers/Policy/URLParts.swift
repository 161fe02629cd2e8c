/// A URL cut at its separators: what the package itself needs to know of one. libcurl does the real parsing.
///
/// It is cut as libcurl cuts it, by bytes: a combining accent would make another character of a separator. Where
/// libcurl could read a host in another way than the rest of the world, the host is left as a text that is none, so
/// that it is neither equal to another one nor taken for a name or an address.
package struct URLParts: Sendable, Hashable {
    /// In lower case; empty if the text does not begin with a scheme (RFC 3986, section 3.1) and `://`. Such a text has
    /// no host.
    package let scheme: String
    /// In lower case, with the brackets and the zone of an IPv6 address. With a backslash before the path it is all of
    /// the authority.
    package let host: String
    /// As written; empty if there is none, or it is the standard one of http or https.
    package let port: String
    /// As written, also if it is the standard one.
    package let writtenPort: String
    /// Whether there are several `@` before the path. The last one counts here, which is not so everywhere.
    package let hasSeveralUsers: Bool
    /// As written.
    package let path: String
    /// Whether there is a query, even an empty one. False without a scheme.
    package let hasQuery: Bool
    /// Whether there is a user or a password, even an empty one.
    package let hasUser: Bool
    /// The scheme with its separator, and the authority without user and password.
    private let origin: String

    package init(_ url: String) {
        let bytes = url.utf8
        let end = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.endIndex
        guard let mark = Self.schemeMark(in: bytes[..<end]) else {
            (scheme, host, port, path, hasQuery, hasUser, origin) = ("", "", "", String(url[..<end]), false, false, "")
            (writtenPort, hasSeveralUsers) = ("", false)
            return
        }
        let pathStart = bytes[mark.upperBound..<end].firstIndex(of: UInt8(ascii: "/")) ?? end
        let authority = bytes[mark.upperBound..<pathStart]
        let afterUser = authority.lastIndex(of: UInt8(ascii: "@")).map(authority.index(after:))
        let address = url[(afterUser ?? authority.startIndex)..<pathStart]
        path = String(url[pathStart..<end])
        hasSeveralUsers = authority.count { $0 == UInt8(ascii: "@") } > 1
        hasUser = afterUser != nil
        guard Self.isScheme(bytes[..<mark.lowerBound]) else {
            (scheme, host, port, writtenPort, hasQuery) = ("", "", "", "", false)
            origin = "\(url[..<mark.upperBound])\(address)"
            return
        }
        scheme = url[..<mark.lowerBound].lowercased()
        origin = "\(scheme)://\(address)"
        hasQuery = end < bytes.endIndex && bytes[end] == UInt8(ascii: "?")
        let isClear = !authority.contains(UInt8(ascii: "\\"))
        let (host, port) = isClear ? Self.hostAndPort(address) : (url[authority.startIndex..<pathStart], "")
        self.host = host.lowercased()
        writtenPort = String(port)
        self.port = port == Self.standardPorts[scheme] ? "" : String(port)
    }

    /// Without user, password, query and fragment, which may hold secrets.
    package var redacted: String { origin + path }

    package var hostAndPort: String { port.isEmpty ? host : "\(host):\(port)" }

    /// The host without the brackets and the zone of an IPv6 address: the zone is this machine's affair.
    package var bareHost: String {
        host.hasPrefix("[") ? String(host.dropFirst().prefix { $0 != "]" && $0 != "%" }) : host
    }

    private static let standardPorts: [String: Substring] = ["http": "80", "https": "443"]

    /// The first `://`. Each request looks for it several times, which a general search would show in its costs.
    private static func schemeMark(in bytes: Substring.UTF8View) -> Range<String.Index>? {
        var rest = bytes
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
            rest = rest[rest.index(after: colon)...]
            if rest.starts(with: "//".utf8) { return colon..<rest.index(rest.startIndex, offsetBy: 2) }
        }
        return nil
    }

    private static func isScheme(_ bytes: Substring.UTF8View) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
        guard let first = bytes.first, isLetter(first) else { return false }
        return bytes.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) }
    }

    /// - Parameter address: an authority without user and password.
    private static func hostAndPort(_ address: Substring) -> (host: Substring, port: Substring) {
        let bytes = address.utf8
        var hostEnd = bytes.startIndex
        if bytes.first == UInt8(ascii: "[") {
            guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")) else { return (address, "") }
            hostEnd = bytes.index(after: bracket)
            // What else follows the bracket makes it no address.
            guard hostEnd == bytes.endIndex || bytes[hostEnd] == UInt8(ascii: ":") else { return (address, "") }
        }
        let colon = bytes[hostEnd...].firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
        return (address[..<colon], address[colon...].dropFirst())
    }
}
