import BackgroundWorkSystem
import BackgroundWorkTransfers
import CBackgroundWorkCurl

/// An address that libcurl dials, or has dialed before.
package struct DialledAddress {
    private let bytes: [UInt8]

    package init(_ address: UnsafeMutablePointer<curl_sockaddr>) {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = bgw_curl_address_bytes(address, &bytes)
        self.bytes = Array(bytes[..<Int(count)])
    }

    /// `nil` for a text that is not an IP address, such as that of a Unix socket.
    package init?(text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.bytes = Array(bytes[..<4])
        } else if inet_pton(AF_INET6, String(text.prefix { $0 != "%" }), &bytes) == 1 {
            self.bytes = bytes
        } else {
            return nil
        }
    }

    /// False as well for a family that is neither IPv4 nor IPv6.
    package var isPublic: Bool {
        bytes.count == 4 ? AddressRules.isPublic(ipv4: bytes) : AddressRules.isPublic(ipv6: bytes)
    }

    /// Whether it is an address of this machine, reachable without a network.
    package var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    }

    package var text: String {
        guard !bytes.isEmpty else { return "of an unknown family" }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
