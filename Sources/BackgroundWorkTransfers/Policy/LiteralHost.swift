/// The host of a URL, as written, before any name is resolved.
package enum LiteralHost: Sendable, Hashable {
    case address(IPAddress)
    /// In lower case, without the dot at its end.
    case name(String)
    /// Programs may read it differently.
    case unclear(Doubt)

    /// Why a host is unclear.
    package enum Doubt: Sendable, Hashable, CustomStringConvertible {
        case missing, userInfo, backslash, percentEncoded, brackets, zone, number, characters, port

        /// Whether no program takes such a URL, or none should.
        package var isInvalid: Bool {
            switch self {
            case .missing, .userInfo, .backslash, .brackets, .port: true
            case .percentEncoded, .zone, .number, .characters: false
            }
        }

        package var description: String {
            switch self {
            case .missing: "it has no host"
            case .userInfo: "it has several @ before its path, which hides the host that it leads to"
            case .backslash: "it has a backslash, before which some programs end the host"
            case .percentEncoded: "its host is percent-encoded"
            case .brackets: "its host is not a valid IPv6 address in brackets"
            case .zone: "its address has a zone, which only link-local addresses have"
            case .number: "its host ends with a number and is not a valid IPv4 address"
            case .characters:
                "its host has characters that are not allowed in names, or that are read as other ones"
            case .port: "its port is not a number from 1 to 65535"
            }
        }

        /// What to write instead.
        var plainForm: String {
            switch self {
            case .missing: "Write the URL with its host."
            case .userInfo: "Write an @ of the user or the password as %40."
            case .backslash: "Write the URL with slashes."
            case .percentEncoded: "Write the host in its plain form, character by character, such as example.com."
            case .brackets: "Write the address in its plain form, such as [2001:db8::7]."
            case .zone: "Write the address without its zone."
            case .number: "Write an address as four decimal numbers, such as 203.0.113.7."
            case .characters: "Write the name in its plain form, with small letters and plain dots, or as xn--…."
            case .port: "Write such a port, or none."
            }
        }
    }

    init(_ parts: URLParts) {
        let host = parts.host
        // In URLs without a scheme there is no host either.
        if host.utf8.contains(UInt8(ascii: "\\")) {
            self = .unclear(.backslash)
        } else if host.isEmpty {
            self = .unclear(.missing)
        } else if parts.hasSeveralUsers {
            self = .unclear(.userInfo)
        } else {
            self = host.hasPrefix("[") ? Self.bracketed(host) : Self.plain(host)
        }
    }

    /// Whether every resolver knows the name as one of this machine (RFC 6761).
    ///
    /// A name without a dot is not among them: a search domain, or a top-level domain, may make a public host of it.
    package static func isOfThisMachine(_ name: String) -> Bool {
        name == "localhost" || name.hasSuffix(".localhost") || name == "localhost.localdomain"
    }

    /// Whether it is a name of this machine's link (RFC 6762).
    package static func isOfLink(_ name: String) -> Bool { name.hasSuffix(".local") }

    private static func bracketed(_ host: String) -> LiteralHost {
        guard host.hasSuffix("]") else { return .unclear(.brackets) }
        let inside = host.dropFirst().dropLast()
        guard let address = IPAddress(text: String(inside)), inside.utf8.contains(UInt8(ascii: ":")) else {
            return .unclear(.brackets)
        }
        guard let zone = inside.firstIndex(of: "%") else { return .address(address) }
        // It names an interface of this machine.
        let name = inside[zone...].dropFirst(inside[zone...].hasPrefix("%25") ? 3 : 1)
        let isPlain = !name.isEmpty && name.utf8.allSatisfy { isOfName($0) || $0 == UInt8(ascii: "%") }
        guard isPlain, address.isIPv6, address.bytes[0] == 0xfe, address.bytes[1] & 0xc0 == 0x80 else {
            return .unclear(.zone)
        }
        return .address(address)
    }

    private static func plain(_ host: String) -> LiteralHost {
        // libcurl and others decode it.
        if host.utf8.contains(UInt8(ascii: "%")) { return .unclear(.percentEncoded) }
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.allSatisfy({ !$0.isEmpty }) else { return .unclear(name.isEmpty ? .missing : .characters) }
        guard name.utf8.allSatisfy(isOfName) else {
            guard name.unicodeScalars.allSatisfy(isOfPlainName) else { return .unclear(.characters) }
            return .name(name)
        }
        if let address = IPAddress(number: name) { return .address(address) }
        // No name ends so, and programs differ in what numbers they take for an address.
        guard let last = labels.last?.utf8, !isNumber(last) else { return .unclear(.number) }
        return .name(name)
    }

    private static func isNumber(_ text: Substring.UTF8View) -> Bool {
        if text.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
        let isHexadecimal = text.starts(with: "0x".utf8)
        return isHexadecimal
            && text.dropFirst(2).allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-_.~".utf8.contains(byte)
        }
    }

    /// Whether a character of an internationalized name stays what it is when the name becomes ASCII (RFC 5891, UTS #46):
    /// other ones become digits, letters of ASCII, dots, or nothing.
    private static func isOfPlainName(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return isOfName(UInt8(truncatingIfNeeded: scalar.value)) }
        // Letters of their own in IDNA, although case folding makes others of them.
        if scalar == "ß" || scalar == "ς" { return true }
        let properties = scalar.properties
        guard !properties.changesWhenNFKCCaseFolded else { return false }
        switch properties.generalCategory {
        case .lowercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark, .decimalNumber: return true
        // The middle dots of Catalan and of Japanese.
        default: return scalar == "·" || scalar == "・"
        }
    }
}
