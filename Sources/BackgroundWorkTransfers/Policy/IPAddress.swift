import BackgroundWorkSystem

/// An IPv4 or IPv6 address. An IPv4 address that IPv6 carries as a mapped one (`::ffff:10.0.0.7`) is that address: it is
/// what a socket dials for it.
package struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// 4 or 16, in network order.
    package let bytes: [UInt8]

    private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

    /// `nil` unless there are 4 or 16 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes.count == 16 && bytes.starts(with: Self.mapped) ? Array(bytes[12...]) : bytes
    }

    /// Takes `10.0.0.7` and `fd00::7`, the latter also with a zone, which is left out. `nil` for any other text.
    package init?(text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.init(bytes: Array(bytes[..<4]))
        } else if inet_pton(AF_INET6, String(text.prefix { $0 != "%" }), &bytes) == 1 {
            self.init(bytes: bytes)
        } else {
            return nil
        }
    }

    /// Takes what libcurl and resolvers take for an IPv4 address: also decimal, octal and hexadecimal numbers, and less
    /// than four of them.
    init?(number text: String) {
        // What follows a blank is ignored by some.
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return nil }
        var ipv4 = in_addr()
        guard inet_aton(text, &ipv4) != 0 else { return nil }
        self.init(bytes: withUnsafeBytes(of: ipv4.s_addr) { Array($0) })
    }

    /// What kind of network it belongs to.
    package var kind: AddressKind { AddressRules.kind(of: self) }

    package var isIPv6: Bool { bytes.count == 16 }

    /// As a URL writes it.
    package var inURL: String { isIPv6 ? "[\(description)]" : description }

    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(isIPv6 ? AF_INET6 : AF_INET, bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
