/// Distinguishes public addresses from those that never belong to the public internet (RFC 6890, RFC 6598, RFC 4193,
/// RFC 4291 and IANA's special-purpose registries).
package enum AddressRules {
    /// Whether the four bytes of an IPv4 address name a public host.
    package static func isPublic(ipv4 bytes: [UInt8]) -> Bool {
        guard bytes.count == 4 else { return false }
        switch (bytes[0], bytes[1], bytes[2]) {
        case (0, _, _), (10, _, _), (127, _, _): return false
        case (100, 64...127, _): return false
        case (169, 254, _): return false
        case (172, 16...31, _): return false
        case (192, 0, 0), (192, 0, 2), (192, 88, 99), (192, 168, _): return false
        case (198, 18...19, _), (198, 51, 100), (203, 0, 113): return false
        case (224..., _, _): return false
        // Azure's host-side services answer on this address of the public range, from inside its machines only.
        case (168, 63, 129) where bytes[3] == 16: return false
        default: return true
        }
    }

    /// Whether the sixteen bytes of an IPv6 address name a public host. IPv4 addresses carried inside (mapped,
    /// compatible, NAT64, 6to4) are checked by the IPv4 rules.
    package static func isPublic(ipv6 bytes: [UInt8]) -> Bool {
        guard bytes.count == 16 else { return false }
        let leadingZeros = bytes.prefix { $0 == 0 }.count
        if leadingZeros >= 10 {
            let mapped = bytes[10] == 0xff && bytes[11] == 0xff
            if mapped || leadingZeros >= 12 { return isPublic(ipv4: Array(bytes[12...])) }
            return false
        }
        if bytes.starts(with: [0x00, 0x64, 0xff, 0x9b]) {
            // Only 64:ff9b::/96 is the well-known prefix; 64:ff9b:1::/48 is for local use (RFC 8215).
            return bytes[4..<12].allSatisfy { $0 == 0 } && isPublic(ipv4: Array(bytes[12...]))
        }
        if bytes.starts(with: [0x20, 0x02]) { return isPublic(ipv4: Array(bytes[2..<6])) }
        if bytes.starts(with: [0x20, 0x01, 0x0d, 0xb8]) { return false }
        if bytes.starts(with: [0x20, 0x01]), bytes[2] < 0x02 { return false }
        // Documentation, 3fff::/20 (RFC 9637).
        if bytes.starts(with: [0x3f, 0xff]), bytes[2] < 0x10 { return false }
        // Global unicast is 2000::/3; unique local, link-local and multicast addresses lie outside of it.
        return bytes[0] & 0xe0 == 0x20
    }
}
