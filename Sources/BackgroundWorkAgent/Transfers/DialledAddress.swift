#if os(Linux)
import BackgroundWorkTransfers
import CBackgroundWorkCurl
import Glibc

/// An address that libcurl is about to dial.
struct DialledAddress {
    private let bytes: [UInt8]

    init(_ address: UnsafeMutablePointer<curl_sockaddr>) {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = bgw_curl_address_bytes(address, &bytes)
        self.bytes = Array(bytes[..<Int(count)])
    }

    /// False as well for a family that is neither IPv4 nor IPv6.
    var isPublic: Bool {
        bytes.count == 4 ? AddressRules.isPublic(ipv4: bytes) : AddressRules.isPublic(ipv6: bytes)
    }

    var text: String {
        guard !bytes.isEmpty else { return "of an unknown family" }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
#endif
