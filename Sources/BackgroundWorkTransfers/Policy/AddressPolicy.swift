/// Which network addresses transfers may dial.
///
/// It is decided when work is accepted. A request keeps the policy of the scheduler that it was enqueued on: through
/// its retries and recurrences, in all steps of its chain, and in whatever process it runs. What a worker enqueues
/// while it runs has the policy of the scheduler that runs the worker; an update brings that of the scheduler which
/// updates. A direct transfer keeps the policy of the `Downloader` or `Uploader` that began it. So a stricter
/// configuration does not change work that was accepted before: cancel that work. Nothing in a request's input can
/// widen it.
///
/// It is enforced on the resolved address of each connection, when it is dialed, redirects included; so a host name
/// that resolves to a private address is rejected as well (DNS rebinding). A rejected transfer is not retried. An
/// address that is written out in a request, or a name that can only be local (`localhost`, and names that end in
/// `.localhost` or `.local`), is rejected before anything is dialed.
public enum AddressPolicy: String, Sendable, Hashable, Codable {
    /// Public addresses only: no loopback, private, link-local, shared, multicast, reserved or cloud metadata address.
    case publicInternet
    /// Any address, for servers on the local machine or network.
    case unrestricted
}

extension AddressPolicy {
    /// Why this policy forbids the literal host of a URL; `nil` when only dialing can tell.
    package func complaint(about url: String) -> String? {
        guard self == .publicInternet, LiteralHost(url: url).isSurelyLocal else { return nil }
        return "it leads to \(URLParts(url).host.prefix(80)), " + Self.refusal
    }

    /// The rest of a sentence about an address, and what to do about it.
    package static let refusal =
        "which the transfer's address policy (public internet only) forbids. To allow it, request it again with the "
        + "configuration's addressPolicy set to .unrestricted, or on the command line with --allow-private."
}

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
