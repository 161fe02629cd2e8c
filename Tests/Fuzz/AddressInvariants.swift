import BackgroundWorkModel
import BackgroundWorkTransfers

/// What must hold for every URL.
enum AddressInvariants {
    /// Of how many URLs libcurl's reading was compared: with nothing to compare, nothing is shown.
    struct Count {
        var addresses = 0, names = 0, unclear = 0
    }

    /// What does not hold; `nil` if all does.
    static func violation(_ url: String, _ count: inout Count) -> String? {
        let destination = URLDestination(url: url)
        for flags in CurlURL.ways {
            guard let curl = CurlURL(url, flags: flags) else { continue }
            switch destination.host {
            case .address: count.addresses += 1
            case .name: count.names += 1
            case .unclear: count.unclear += 1
            }
            if let difference = difference(destination, curl) {
                return "\(difference) (libcurl's host is \"\(curl.host)\", its port \(curl.port))"
            }
        }
        return allowances(destination)
    }

    /// An unclear host is refused. Any other is what libcurl takes it for.
    private static func difference(_ destination: URLDestination, _ curl: CurlURL) -> String? {
        let name: String
        switch destination.host {
        case .unclear: return nil
        case .address(let address):
            if curl.address != address { return "the address \(address) is not libcurl's" }
            return port(destination, curl)
        case .name(let own): name = own
        }
        if let address = curl.address { return "the name \"\(name)\" is the address \(address) for libcurl" }
        var host = curl.host.lowercased()
        if host.hasSuffix(".") { host.removeLast() }
        if name.utf8.allSatisfy({ $0 < 0x80 }) {
            if host != name { return "the name \"\(name)\" is not libcurl's" }
        } else if !host.split(separator: ".").contains(where: { $0.hasPrefix("xn--") }) {
            return "the name \"\(name)\" is one of ASCII for libcurl"
        }
        let isLocal = LiteralHost.isOfThisMachine(host) || LiteralHost.isOfLink(host)
        if isLocal != (LiteralHost.isOfThisMachine(name) || LiteralHost.isOfLink(name)) {
            return "whether the name \"\(name)\" is local depends on who reads it"
        }
        return port(destination, curl)
    }

    private static func port(_ destination: URLDestination, _ curl: CurlURL) -> String? {
        var policy = SecurityPolicy.unrestricted
        policy.allowedPorts = [curl.port]
        guard case .forbidden(let refusal) = policy.verdict(on: destination) else { return nil }
        return "its port is not libcurl's: \(refusal)"
    }

    /// A wider policy forbids nothing more, and what a refusal advises is an entry that allows it.
    private static func allowances(_ destination: URLDestination) -> String? {
        let policy = SecurityPolicy.publicInternet
        var wider = policy
        (wider.allowsLoopback, wider.allowsPrivateNetworks) = (true, true)
        if policy.refusal(of: destination) == nil, let refusal = wider.refusal(of: destination) {
            return "a wider policy forbids it: \(refusal)"
        }
        guard case .address(let address) = destination.host, let refusal = policy.refusal(of: destination) else {
            return nil
        }
        if address.kind == .global { return "a public address is refused: \(refusal)" }
        wider = policy
        wider.allowedHosts = [address.inURL]
        if let complaint = wider.complaint { return complaint }
        return wider.refusal(of: destination).map { "its own entry does not allow it: \($0)" }
    }
}
