import BackgroundWorkModel

/// Why a ``SecurityPolicy`` forbids a destination, and what to do about it.
package struct AddressRefusal: Sendable, Hashable {
    enum Rule: Sendable, Hashable {
        case unclear(LiteralHost.Doubt)
        case port(Int)
        /// A name that can only be of this machine, or of its link.
        case localName(isOfThisMachine: Bool)
        case metadataName
        case address(IPAddress)
        /// Neither IPv4 nor IPv6.
        case unknownFamily
    }

    let rule: Rule
    let destination: URLDestination
    let policy: SecurityPolicy

    /// What was refused, for a sentence such as "a redirect led to …".
    package var target: String { ownTarget + (destination.isOfProxy ? " of its proxy" : "") }

    private var ownTarget: String {
        switch rule {
        case .unclear, .localName, .metadataName: destination.text.isEmpty ? "no host" : destination.text
        case .port(let port): "port \(port) of \(destination.text)"
        case .address(let address): address.description
        case .unknownFamily: "an address of an unknown family"
        }
    }

    /// The rest of that sentence, by which rule, and what to do.
    package var reason: String {
        if case .unclear(let doubt) = rule {
            return "of which programs may read different hosts: \(doubt). \(clarity) \(doubt.plainForm)"
        }
        let words = description(of: rule).map { "\($0), " } ?? ""
        return "\(words)which the security policy (\(policy)) forbids. \(advice)"
    }

    private func description(of rule: Rule) -> String? {
        switch rule {
        case .unclear, .port: nil
        case .localName(let isOfThisMachine): isOfThisMachine ? "a name of this machine" : "a name of the local network"
        case .metadataName: "a cloud's metadata service"
        case .address(let address):
            switch address.kind {
            case .global: nil
            case .loopback: "an address of this machine"
            case .privateNetwork: "an address of a private network"
            case .metadata: "a cloud's metadata service"
            case .reserved: "an address that is not for public servers"
            }
        case .unknownFamily: nil
        }
    }

    /// Why the text alone is refused.
    private var clarity: String {
        "The security policy (\(policy)) can be applied only to a host that every program reads alike."
    }

    /// What to allow, and how.
    private var advice: String {
        switch rule {
        case .unclear(let doubt): return doubt.plainForm
        case .port(let port):
            return "To allow it, add \(port) to the configuration's securityPolicy.allowedPorts, or "
                + "\"\(host):\(port)\" to its allowedHosts, and request it again."
        case .unknownFamily: return "The configuration's securityPolicy .unrestricted allows it."
        case .metadataName: return advice(allowance: nil, option: nil)
        case .localName(let isOfThisMachine):
            return advice(
                allowance: isOfThisMachine ? "allowsLoopback" : "allowsPrivateNetworks", option: "--allow-private")
        case .address(let address):
            switch address.kind {
            case .loopback: return advice(allowance: "allowsLoopback", option: "--allow-private")
            case .privateNetwork: return advice(allowance: "allowsPrivateNetworks", option: "--allow-private")
            case .metadata, .reserved, .global: return advice(allowance: nil, option: nil)
            }
        }
    }

    private func advice(allowance: String?, option: String?) -> String {
        "To allow it, add \"\(host)\" to the configuration's securityPolicy.allowedHosts"
            + (allowance.map { ", or set its \($0)" } ?? "") + ", and request it again; on the command line with "
            + "--allow-host \(host)" + (option.map { " or \($0)" } ?? "") + "."
    }

    /// What an entry of the allowed hosts would be.
    private var host: String {
        switch (destination.host, rule) {
        case (.name(let name), .address(let address)):
            // A name that may have any number of addresses, or one below an entry that does not allow this one.
            address.kind == .metadata ? address.inURL : name
        case (.name(let name), _): name
        case (.address(let address), _): address.inURL
        case (.unclear, _): destination.text
        }
    }
}

extension AddressRefusal: CustomStringConvertible {
    /// Of a URL's own host.
    package var description: String {
        if case .unclear(let doubt) = rule {
            return "\(doubt). \(clarity) \(doubt.plainForm)"
        }
        return "it leads to \(ownTarget), \(reason)"
    }
}
