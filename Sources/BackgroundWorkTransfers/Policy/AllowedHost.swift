/// An entry of ``SecurityPolicy/allowedHosts``.
struct AllowedHost: Sendable, Hashable {
    enum Subject: Sendable, Hashable {
        case name(String)
        /// The name's suffix, with the dot at its beginning.
        case below(String)
        case address(IPAddress)
        case network([UInt8], bits: Int)
    }

    let subject: Subject
    /// `nil` for all that the policy allows.
    let port: Int?

    /// `nil` for a text that is none.
    init?(_ entry: String) {
        let (host, port) = Self.parts(entry)
        if let port {
            guard !port.isEmpty, port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(port),
                (1...65_535).contains(number)
            else { return nil }
            self.port = number
        } else {
            self.port = nil
        }
        guard let subject = Self.subject(String(host)) else { return nil }
        self.subject = subject
    }

    /// Whether it is about addresses, so that a name may be allowed by what it resolves to.
    var isOfAddresses: Bool {
        switch subject {
        case .address, .network: true
        case .name, .below: false
        }
    }

    /// Whether it names exactly this name.
    func names(_ name: String) -> Bool { subject == .name(name) }

    /// Whether the name is below its own. The service of a cloud is not: it has to be named.
    func covers(_ name: String) -> Bool {
        guard case .below(let suffix) = subject else { return false }
        return name.utf8.count > suffix.utf8.count && name.hasSuffix(suffix) && !MetadataServices.names.contains(name)
    }

    /// Whether it names the address, or a network with it. The service of a cloud has to be named by its own address.
    func contains(_ address: IPAddress) -> Bool {
        switch subject {
        case .address(let own): return own == address
        case .network(let prefix, let bits):
            guard prefix.count == address.bytes.count, address.kind != .metadata else { return false }
            return zip(prefix, address.bytes).enumerated().allSatisfy { index, pair in
                let left = min(max(bits - 8 * index, 0), 8)
                return (pair.0 ^ pair.1) & UInt8(truncatingIfNeeded: 0xff00 >> left) == 0
            }
        case .name, .below: return false
        }
    }

    /// Host and port of `host`, `host:1`, `[::1]`, `[::1]:1`, `10.0.0.0/8:1` and `fd00::/8`.
    private static func parts(_ entry: String) -> (host: Substring, port: Substring?) {
        if entry.hasPrefix("["), let bracket = entry.lastIndex(of: "]") {
            let rest = entry[bracket...].dropFirst()
            guard let colon = rest.lastIndex(of: ":") else { return (entry[...], nil) }
            return (entry[..<colon], entry[colon...].dropFirst())
        }
        // More than one colon: an IPv6 address without brackets, which leaves no place for a port.
        guard entry.count(where: { $0 == ":" }) == 1, let colon = entry.firstIndex(of: ":") else {
            return (entry[...], nil)
        }
        return (entry[..<colon], entry[colon...].dropFirst())
    }

    private static func subject(_ host: String) -> Subject? {
        if let slash = host.firstIndex(of: "/") {
            let bits = host[slash...].dropFirst()
            guard let address = address(host[..<slash]), !bits.isEmpty,
                bits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(bits),
                count <= 8 * address.bytes.count
            else { return nil }
            return .network(address.bytes, bits: count)
        }
        if let address = address(host[...]) { return .address(address) }
        let isBelow = host.hasPrefix("*.")
        let name = isBelow ? String(host.dropFirst(2)) : host
        // As a URL's host is read. Only the spelling of IPv4 addresses above is one of an address here.
        guard !name.isEmpty, !name.utf8.contains(where: { "/?#@:".utf8.contains($0) }),
            case .name(let name) = URLDestination(url: "http://\(name)/").host
        else { return nil }
        return isBelow ? .below("." + name) : .name(name)
    }

    private static func address(_ text: Substring) -> IPAddress? {
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
        let bare = isBracketed ? text.dropFirst().dropLast() : text
        guard !bare.contains("%"), let address = IPAddress(text: String(bare)) else { return nil }
        return isBracketed && !bare.contains(":") ? nil : address
    }
}
