import BackgroundWorkSystem

/// The host of a URL, judged as it is written, before any name is looked up.
package struct LiteralHost: Sendable, Hashable {
    private enum Kind: Sendable, Hashable {
        case address(isPublic: Bool)
        /// It is this machine's (RFC 6761) or its link's (RFC 6762), whoever looks it up.
        ///
        /// A name without a dot is not among them: a search domain, or a top-level domain, may make a public host of it.
        case localName
        case name
        /// There is none, or libcurl may read it otherwise than it is written.
        case unclear
    }

    private let kind: Kind

    package init(url: String) {
        let host = URLAuthority(url).writtenHost
        kind = host.hasPrefix("[") ? Self.kind(ofBracketed: host) : Self.kind(of: host)
    }

    /// Whether it can lead to no public host. What is not clear may.
    package var isSurelyLocal: Bool { kind == .localName || kind == .address(isPublic: false) }

    /// Whether a proxy, which looks names up by itself, may be given it under ``AddressPolicy/publicInternet``. What is
    /// not clear may not.
    package var isAllowedThroughProxy: Bool { kind == .name || kind == .address(isPublic: true) }

    private static func kind(ofBracketed host: String) -> Kind {
        guard host.hasSuffix("]") else { return .unclear }
        let inside = host.dropFirst().dropLast()
        let text = String(inside.prefix { $0 != "%" })
        var ipv6 = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, text, &ipv6) == 1 else { return .unclear }
        guard AddressRules.isPublic(ipv6: ipv6) else { return .address(isPublic: false) }
        // The zone after `%` names an interface of this machine.
        return inside.contains("%") ? .unclear : .address(isPublic: true)
    }

    private static func kind(of host: String) -> Kind {
        // libcurl decodes the former and maps the latter to ASCII, and may get an address out of either.
        guard host.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "%") }) else { return .unclear }
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        if name.isEmpty { return .unclear }
        var ipv4 = in_addr()
        // Takes decimal, octal and hexadecimal spellings, as libcurl does, and as the resolver behind a proxy may.
        if inet_aton(name, &ipv4) != 0 {
            return .address(isPublic: AddressRules.isPublic(ipv4: withUnsafeBytes(of: ipv4.s_addr) { Array($0) }))
        }
        let last = name.split(separator: ".", omittingEmptySubsequences: false).last
        return last == "localhost" || (last == "local" && name != "local") ? .localName : .name
    }
}
