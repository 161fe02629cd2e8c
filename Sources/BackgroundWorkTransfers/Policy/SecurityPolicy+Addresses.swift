import BackgroundWorkModel

/// What a policy says of a URL before its host's name is resolved.
package enum URLVerdict: Sendable, Hashable {
    case allowed
    /// The addresses that the name resolves to decide.
    case dependsOnAddress
    case forbidden(AddressRefusal)
}

// The order of the rules, for a host and a port:
//
// 1. An entry of `allowedHosts` that names the host, or the address that is dialed, allows it. If the entry has a port, it
//    allows that one; otherwise the ports are those of `allowedPorts`. A metadata service is named by its own name or
//    address only, not by `*.name` or a network.
// 2. `allowedPorts` applies to all else, also with `allowsAnyAddress`.
// 3. `allowsAnyAddress`, `allowsLoopback` and `allowsPrivateNetworks`; public addresses need none of them.
extension SecurityPolicy {
    /// Whether it forbids nothing about addresses.
    package var allowsEveryDestination: Bool { allowsAnyAddress && allowedPorts == nil }

    /// Why this policy forbids the host and port of a URL, as written; `nil` when only dialing can tell.
    package func complaint(about url: String) -> String? { refusal(of: URLDestination(url: url))?.description }

    /// The same as a value.
    package func refusal(of destination: URLDestination) -> AddressRefusal? {
        guard case .forbidden(let refusal) = verdict(on: destination) else { return nil }
        return refusal
    }

    /// The same for a URL that is requested through a proxy; directly if that is `nil`.
    package func refusal(of url: String, through proxy: String?) -> AddressRefusal? {
        if allowsEveryDestination { return nil }
        return refusal(of: URLDestination(url: url)) ?? proxy.flatMap { refusal(of: URLDestination(proxy: $0)) }
    }

    /// Judges a URL as written.
    package func verdict(on destination: URLDestination) -> URLVerdict {
        if allowsEveryDestination { return .allowed }
        func forbidden(_ rule: AddressRefusal.Rule) -> URLVerdict {
            .forbidden(AddressRefusal(rule: rule, destination: destination, policy: self))
        }
        let name: String
        switch destination.host {
        case .unclear(let doubt): return forbidden(.unclear(doubt))
        case .address(let address):
            return rule(against: address, at: destination.port).map(forbidden) ?? .allowed
        case .name(let own): name = own
        }
        let port = destination.port
        let entries = entries(for: port)
        if entries.contains(where: { $0.names(name) }) { return .allowed }
        if MetadataServices.names.contains(name), !allowsAnyAddress { return forbidden(.metadataName) }
        if entries.contains(where: { $0.isOfAddresses || $0.covers(name) }) { return .dependsOnAddress }
        guard allows(port: port) else { return forbidden(.port(port)) }
        if allowsAnyAddress { return .allowed }
        // Such a name is forbidden whether or not it can be resolved.
        let isOfThisMachine = LiteralHost.isOfThisMachine(name)
        if isOfThisMachine, !allowsLoopback { return forbidden(.localName(isOfThisMachine: true)) }
        if LiteralHost.isOfLink(name), !allowsLoopback, !allowsPrivateNetworks {
            return forbidden(.localName(isOfThisMachine: false))
        }
        return .dependsOnAddress
    }

    /// Why this policy forbids that an address is dialed, or a connection to it used, for a URL; `nil` if it is allowed.
    ///
    /// - Parameter address: `nil` for a family that is neither IPv4 nor IPv6.
    package func refusal(dialing address: IPAddress?, for destination: URLDestination) -> AddressRefusal? {
        let name: String?
        switch verdict(on: destination) {
        case .forbidden(let refusal): return refusal
        case .allowed:
            guard case .address = destination.host, !allowsEveryDestination else { return nil }
            name = nil
        case .dependsOnAddress: if case .name(let own) = destination.host { name = own } else { name = nil }
        }
        let broken =
            address.map { rule(against: $0, of: name, at: destination.port) } ?? .unknownFamily
        return broken.map { AddressRefusal(rule: $0, destination: destination, policy: self) }
    }

    /// The same for a URL that is requested through a proxy, which is what is dialed then. Of the URL's own host only the
    /// text is known.
    ///
    /// - Parameter proxy: `nil` for a direct connection.
    package func refusal(dialing address: IPAddress?, for url: String, through proxy: String?) -> AddressRefusal? {
        if allowsEveryDestination { return nil }
        let server = URLDestination(url: url)
        guard let proxy else { return refusal(dialing: address, for: server) }
        return refusal(of: server) ?? refusal(dialing: address, for: URLDestination(proxy: proxy))
    }

    /// - Parameter name: the one that has led to the address, if an entry may be about it.
    private func rule(
        against address: IPAddress, of name: String? = nil, at port: Int
    ) -> AddressRefusal.Rule? {
        let kind = address.kind
        let isNamed = entries(for: port).contains {
            $0.contains(address) || (kind != .metadata && name.map($0.covers) ?? false)
        }
        if isNamed { return nil }
        guard allows(port: port) else { return .port(port) }
        let isAllowed =
            switch kind {
            case .global: true
            case .loopback: allowsLoopback
            case .privateNetwork: allowsPrivateNetworks
            case .metadata, .reserved: false
            }
        return isAllowed || allowsAnyAddress ? nil : .address(address)
    }

    private func allows(port: Int) -> Bool { allowedPorts?.contains(port) ?? true }

    /// Those that apply at a port.
    private func entries(for port: Int) -> [AllowedHost] {
        let isAllowed = allows(port: port)
        return allowedHosts.compactMap(AllowedHost.init).filter { $0.port.map { $0 == port } ?? isAllowed }
    }

    /// Why the policy cannot be used; `nil` if it can.
    package var complaint: String? {
        if let entry = allowedHosts.sorted().first(where: { AllowedHost($0) == nil }) {
            return
                "allowedHosts has \"\(entry.printable)\", which is not a name, *.name, an address or a network, each "
                + "alone or with a port from 1 to 65535, such as nas.example:8080 or [fd00::7]:8080"
        }
        if let port = allowedPorts?.sorted().first(where: { !(1...65_535).contains($0) }) {
            return "allowedPorts has \(port), which is not a port from 1 to 65535"
        }
        if let folder = allowedDirectories?.sorted().first(where: { !$0.hasPrefix("/") || $0.utf8.contains(0) }) {
            return "allowedDirectories has \"\(folder.printable)\", which is not an absolute path"
        }
        if let folder = allowedDirectories?.sorted().first(where: { $0.split(separator: "/").contains("..") }) {
            return
                "allowedDirectories has \"\(folder.printable)\", but must not contain \"..\"; write the path that it "
                + "leads to"
        }
        return nil
    }
}
