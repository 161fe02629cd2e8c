/// The kinds of addresses that a ``SecurityPolicy`` distinguishes.
package enum AddressKind: Sendable, Hashable {
    /// Of the public internet.
    case global
    /// This machine, also as the unspecified address, which Linux dials as this machine.
    case loopback
    /// A private, shared, unique local or link-local network.
    case privateNetwork
    /// A service that tells a machine of a cloud its secrets.
    case metadata
    /// Multicast, broadcast, documentation, benchmarks, tunnels and whatever else is neither public nor of a network of
    /// its own.
    case reserved
}

/// Which kind an address is of (RFC 6890, RFC 6598, RFC 4193, RFC 4291 and IANA's special-purpose registries).
package enum AddressRules {
    static func kind(of address: IPAddress) -> AddressKind {
        if MetadataServices.addresses.contains(address) || MetadataServices.contains(address) { return .metadata }
        return address.isIPv6 ? kind(ipv6: address.bytes) : kind(ipv4: address.bytes)
    }

    private static func kind(ipv4 bytes: [UInt8]) -> AddressKind {
        switch (bytes[0], bytes[1], bytes[2]) {
        case (0, 0, 0) where bytes[3] == 0: return .loopback
        case (127, _, _): return .loopback
        case (10, _, _), (100, 64...127, _), (169, 254, _), (172, 16...31, _), (192, 168, _): return .privateNetwork
        case (0, _, _), (192, 0, 0), (192, 0, 2), (192, 88, 99), (198, 18...19, _), (198, 51, 100), (203, 0, 113):
            return .reserved
        case (224..., _, _): return .reserved
        default: return .global
        }
    }

    private static func kind(ipv6 bytes: [UInt8]) -> AddressKind {
        let leadingZeros = bytes.prefix { $0 == 0 }.count
        if leadingZeros == 16 || (leadingZeros == 15 && bytes[15] == 1) { return .loopback }
        // IPv4-compatible (RFC 4291, section 2.5.5.1).
        if leadingZeros >= 12 { return kind(carried: bytes[12...]) }
        if bytes.starts(with: [0x00, 0x64, 0xff, 0x9b]) {
            // Only 64:ff9b::/96 is the well-known prefix of NAT64; 64:ff9b:1::/48 is for local use (RFC 8215), with an
            // address inside at a place that only the network knows.
            return bytes[4..<12].allSatisfy { $0 == 0 } ? kind(carried: bytes[12...]) : .reserved
        }
        // 6to4.
        if bytes.starts(with: [0x20, 0x02]) { return kind(carried: bytes[2..<6]) }
        let outside = kind(plainIPv6: bytes)
        // ISATAP: the last 32 bits are the IPv4 address at which the tunnel ends (RFC 5214, section 6.1).
        let isTunnel = bytes[8] & 0xfd == 0 && bytes[9] == 0 && bytes[10] == 0x5e && bytes[11] == 0xfe
        guard isTunnel, outside == .global || outside == .privateNetwork else { return outside }
        let inside = kind(carried: bytes[12...])
        return inside == .global ? outside : inside
    }

    private static func kind(plainIPv6 bytes: [UInt8]) -> AddressKind {
        // Unique local, link-local and site-local addresses.
        if bytes[0] & 0xfe == 0xfc { return .privateNetwork }
        if bytes[0] == 0xfe, bytes[1] & 0x80 != 0 { return .privateNetwork }
        // Teredo, ORCHID and what else 2001::/23 has; documentation (RFC 3849, RFC 9637).
        if bytes.starts(with: [0x20, 0x01]), bytes[2] < 0x02 { return .reserved }
        if bytes.starts(with: [0x20, 0x01, 0x0d, 0xb8]) { return .reserved }
        if bytes.starts(with: [0x3f, 0xff]), bytes[2] < 0x10 { return .reserved }
        // Global unicast is 2000::/3.
        return bytes[0] & 0xe0 == 0x20 ? .global : .reserved
    }

    /// Of an IPv4 address that a translator or a tunnel reaches: what is loopback for that is not this machine.
    private static func kind(carried bytes: ArraySlice<UInt8>) -> AddressKind {
        guard let address = IPAddress(bytes: Array(bytes)) else { return .reserved }
        let inside = address.kind
        return inside == .loopback ? .reserved : inside
    }
}
