import BackgroundWorkSystem

/// The host of a URL, checked as written, before any name is resolved.
package struct LiteralHost: Sendable, Hashable {
    private enum Kind: Sendable, Hashable {
        case address(isPublic: Bool)
        /// It is a name of this machine (RFC 6761) or its link (RFC 6762), for every resolver.
        ///
        /// A name without a dot is not among them: a search domain, or a top-level domain, may make a public host of it.
        case localName
        case name
        /// There is none, or libcurl may interpret it differently.
        case unclear
    }

    private let kind: Kind

    package init(url: String) {
        let host = URLParts(url).host
        kind = host.hasPrefix("[") ? Self.kind(ofBracketed: host) : Self.kind(of: host)
    }

    /// Whether it cannot lead to a public host. False for an unclear host.
    package var isSurelyLocal: Bool { kind == .localName || kind == .address(isPublic: false) }

    /// Whether it may be passed to a proxy, which resolves names itself, under ``SecurityPolicy/publicInternet``. False
    /// for an unclear host.
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
        // libcurl maps the former to ASCII, decodes what follows a percent sign, and takes what precedes a backslash for
        // a user: it may get an address out of each.
        guard host.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "%") && $0 != UInt8(ascii: "\\") }) else {
            return .unclear
        }
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
