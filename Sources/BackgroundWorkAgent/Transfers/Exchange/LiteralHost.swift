#if os(Linux)
import BackgroundWorkTransfers
import Glibc

/// The host of a URL as far as it is written out as an address: all that can be checked of a transfer through a proxy,
/// which looks names up by itself.
struct LiteralHost {
    private let host: String

    init(url: String) {
        let host = TransferURL(url).host
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
            self.host = String(host[host.index(after: host.startIndex)..<end])
        } else {
            self.host = String(host.prefix { $0 != ":" })
        }
    }

    /// False for an address that is not public, in whatever spelling, and for the names of this machine.
    var isAllowedThroughProxy: Bool {
        var ipv6 = [UInt8](repeating: 0, count: 16)
        // The zone after `%` names an interface of this machine.
        if host.contains(":") {
            return !host.contains("%") && inet_pton(AF_INET6, host, &ipv6) == 1 && AddressRules.isPublic(ipv6: ipv6)
        }
        // libcurl decodes the former and maps the latter to ASCII, and may get an address out of either.
        guard host.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "%") }), !host.hasPrefix("[") else { return false }
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        var ipv4 = in_addr()
        // Takes decimal, octal and hexadecimal spellings, as the resolver behind a proxy may.
        if inet_aton(name, &ipv4) != 0 {
            return AddressRules.isPublic(ipv4: withUnsafeBytes(of: ipv4.s_addr) { Array($0) })
        }
        return !name.isEmpty && name != "localhost" && !name.hasSuffix(".localhost")
    }
}
#endif
