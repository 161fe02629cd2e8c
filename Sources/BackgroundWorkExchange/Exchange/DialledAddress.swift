import BackgroundWorkTransfers
import CBackgroundWorkCurl

/// An address that libcurl dials, or has dialed before.
package struct DialledAddress {
    /// `nil` for a family that is neither IPv4 nor IPv6.
    package let address: IPAddress?

    package init(_ address: UnsafeMutablePointer<curl_sockaddr>) {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = bgw_curl_address_bytes(address, &bytes)
        self.address = IPAddress(bytes: Array(bytes[..<Int(count)]))
    }

    /// `nil` for a text that is not an IP address, such as that of a Unix socket.
    package init?(text: String) {
        guard let address = IPAddress(text: text) else { return nil }
        self.address = address
    }

    /// Whether it is an address of this machine, reachable without a network.
    package var isLoopback: Bool {
        // The unspecified address leads here as well, by way of an interface that may be down.
        address?.kind == .loopback && address?.bytes.contains { $0 != 0 } == true
    }
}
