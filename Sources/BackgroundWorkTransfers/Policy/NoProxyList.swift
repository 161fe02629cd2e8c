#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The hosts that are reached without a proxy, as curl reads `no_proxy`: names that stand for themselves and for what
/// ends in them after a dot, addresses, networks (`10.0.0.0/8`), or `*` for all; commas or spaces between.
struct NoProxyList: Sendable, Hashable {
    private let text: String

    init(_ text: String) { self.text = text }

    /// - Parameter host: in lower case, an IPv6 address without its brackets.
    func contains(_ host: String) -> Bool {
        if text == "*" { return true }
        let entries = text.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
        if let address = Self.bytes(of: host) { return entries.contains { Self.network($0, contains: address) } }
        let name = host.hasSuffix(".") ? host.dropLast() : host[...]
        return entries.contains { entry in
            var suffix = entry.hasPrefix(".") ? entry.dropFirst() : entry
            if suffix.hasSuffix(".") { suffix.removeLast() }
            return !suffix.isEmpty && (name == suffix || name.hasSuffix("." + suffix))
        }
    }

    private static func network(_ entry: Substring, contains address: [UInt8]) -> Bool {
        let parts = entry.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let text = parts[0].hasPrefix("[") ? parts[0].dropFirst().prefix { $0 != "]" } : parts[0]
        guard let network = bytes(of: String(text)), network.count == address.count else { return false }
        guard parts.count == 2 else { return network == address }
        guard let bits = Int(parts[1]), bits >= 0, bits <= 8 * address.count else { return false }
        // curl takes a length of 0 for a whole address too.
        let length = bits == 0 ? 8 * address.count : bits
        let rest = length % 8
        guard network[..<(length / 8)] == address[..<(length / 8)] else { return false }
        guard rest > 0 else { return true }
        let mask = UInt8(truncatingIfNeeded: 0xff00 >> rest)
        return network[length / 8] & mask == address[length / 8] & mask
    }

    /// The 4 or 16 bytes of an address; `nil` for a name.
    private static func bytes(of host: String) -> [UInt8]? {
        var ipv4 = [UInt8](repeating: 0, count: 4)
        if inet_pton(AF_INET, host, &ipv4) == 1 { return ipv4 }
        var ipv6 = [UInt8](repeating: 0, count: 16)
        return inet_pton(AF_INET6, host, &ipv6) == 1 ? ipv6 : nil
    }
}
