/// Which host and port a URL leads to, as written.
package struct URLDestination: Sendable, Hashable {
    package let host: LiteralHost
    /// As the URL writes it, for messages.
    let text: String
    /// 0 for an unclear host: also one whose port is not a number from 1 to 65535, or of an unknown scheme.
    let port: Int
    let isOfProxy: Bool

    /// Whether it is no valid destination under any policy.
    package var isInvalid: Bool {
        guard case .unclear(let doubt) = host else { return false }
        return doubt.isInvalid
    }

    /// Whether it is certainly on this machine or in a network of its own.
    package var isLocal: Bool {
        switch host {
        case .address(let address): address.kind != .global
        case .name(let name): LiteralHost.isOfThisMachine(name) || LiteralHost.isOfLink(name)
        case .unclear: false
        }
    }

    package init(url: String) {
        self.init(URLParts(url), standardPorts: ["http": 80, "https": 443], isOfProxy: false)
    }

    /// Of the URL of a proxy, whose standard ports are curl's.
    package init(proxy: String) {
        let ports = ["http": 1080, "https": 443, "socks5": 1080, "socks5h": 1080]
        self.init(URLParts(proxy), standardPorts: ports, isOfProxy: true)
    }

    /// Whole, as far as a name may be long: a part of a secret would not be recognized as one.
    private static func shown(_ host: String) -> String {
        host.utf8.count <= 255 ? host.printable : "a host of \(host.utf8.count) bytes"
    }

    private init(_ parts: URLParts, standardPorts: [String: Int], isOfProxy: Bool) {
        self.isOfProxy = isOfProxy
        let port =
            parts.writtenPort.isEmpty
            ? standardPorts[parts.scheme]
            : parts.writtenPort.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(parts.writtenPort) : nil
        self.port = port.flatMap { (1...65_535).contains($0) ? $0 : nil } ?? 0
        let host = LiteralHost(parts)
        if case .unclear = host { self.host = host } else { self.host = self.port == 0 ? .unclear(.port) : host }
        text = Self.shown(parts.host)
    }
}
