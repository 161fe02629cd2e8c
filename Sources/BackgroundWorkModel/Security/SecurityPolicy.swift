/// Where the package's HTTP requests may lead, and which files its built-in workers may read and write.
///
/// One table for transfers, HTTP requests and file work. It is decided when work is accepted. A request keeps the policy
/// of the scheduler that it was enqueued on: through its retries and recurrences, in all steps of its chain, and in
/// whatever process it runs. What a worker enqueues while it runs has the policy of the scheduler that runs the worker;
/// an update brings that of the scheduler which updates. A transfer of a `Downloader` or `Uploader` keeps the policy
/// that it was begun with. So a stricter configuration does not change work that was accepted before: cancel that work.
/// Nothing in a request's input can widen it.
///
/// Addresses are checked when work is enqueued, as far as its URLs tell, and on Linux on each address that is dialed,
/// redirects and proxies included; so a name that resolves to a forbidden address is refused as well (DNS rebinding).
/// Refused work is not retried.
public struct SecurityPolicy: Sendable, Hashable {
    /// Public addresses only: no loopback, private, link-local, shared, multicast, reserved or cloud metadata address.
    public static let publicInternet = SecurityPolicy()

    /// Any address, for servers on the local machine or network. Files are still protected.
    public static let unrestricted: SecurityPolicy = {
        var policy = SecurityPolicy()
        policy.allowsAnyAddress = true
        return policy
    }()

    /// Neither addresses nor files.
    package static let nothing: SecurityPolicy = {
        var policy = SecurityPolicy()
        policy.allowedPorts = []
        policy.allowedDirectories = []
        return policy
    }()

    /// Whether every address may be dialed. The other allowances have no effect then, except ``allowedPorts``.
    public var allowsAnyAddress = false
    /// Whether this machine may be dialed: 127.0.0.0/8, ::1, the unspecified addresses 0.0.0.0 and ::, which Linux dials
    /// as this machine, and names that can only be local, such as `localhost`.
    public var allowsLoopback = false
    /// Whether private networks may be dialed: 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10, fc00::/7, and
    /// link-local addresses. Not the metadata services of clouds, which are in these ranges: each has to be named in
    /// ``allowedHosts``.
    public var allowsPrivateNetworks = false
    /// Hosts that may be dialed whatever they resolve to: a name (`nas.example.com`), all names below one
    /// (`*.example.com`, not `example.com` itself), an address (`10.0.0.7`, `[fd00::7]`) or a network (`10.0.0.0/8`), each
    /// alone or with a port (`localhost:8080`, `[::1]:8080`).
    ///
    /// A name is the one that the URL has. An address or a network also allows the names that resolve to it. The metadata
    /// service of a cloud is allowed by an entry with its own name or address, and by one that names a host which resolves
    /// to it, but not by `*.name` or a network. A scheduler or a `Downloader` is not created with an entry that is none of
    /// these.
    public var allowedHosts: Set<String> = []
    /// The ports that may be dialed, from 1 to 65535; `nil` for all. It applies with every allowance, also with
    /// ``allowsAnyAddress``; a port that is named in ``allowedHosts`` is allowed for its host.
    public var allowedPorts: Set<Int>?
    /// Folders, absolute, in which the built-in workers may read and write, with all below them; `nil`: everywhere the
    /// process may, except below /proc, /sys, /dev and /etc.
    public var allowedDirectories: Set<String>?

    /// Public addresses, all ports, all folders but the system's.
    public init() {}
}

extension SecurityPolicy: Codable {
    private enum CodingKeys: String, CodingKey {
        case allowsAnyAddress, allowsLoopback, allowsPrivateNetworks, allowedHosts, allowedPorts, allowedDirectories
    }

    /// Takes what ``encode(to:)`` writes. Fields that are missing are as in ``publicInternet``.
    public init(from decoder: any Decoder) throws {
        if let name = try? decoder.singleValueContainer().decode(String.self) {
            guard let policy = Self(name: name) else {
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: decoder.codingPath,
                        debugDescription: "\"\(name)\" is no security policy: publicInternet or unrestricted"))
            }
            self = policy
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        allowsAnyAddress = try container.decodeIfPresent(Bool.self, forKey: .allowsAnyAddress) ?? false
        allowsLoopback = try container.decodeIfPresent(Bool.self, forKey: .allowsLoopback) ?? false
        allowsPrivateNetworks = try container.decodeIfPresent(Bool.self, forKey: .allowsPrivateNetworks) ?? false
        allowedHosts = try container.decodeIfPresent(Set<String>.self, forKey: .allowedHosts) ?? []
        allowedPorts = try container.decodeIfPresent(Set<Int>.self, forKey: .allowedPorts)
        allowedDirectories = try container.decodeIfPresent(Set<String>.self, forKey: .allowedDirectories)
    }

    /// Writes `"publicInternet"` or `"unrestricted"` for these two, and the members that differ for any other.
    public func encode(to encoder: any Encoder) throws {
        if let name {
            var container = encoder.singleValueContainer()
            try container.encode(name)
            return
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        if allowsAnyAddress { try container.encode(true, forKey: .allowsAnyAddress) }
        if allowsLoopback { try container.encode(true, forKey: .allowsLoopback) }
        if allowsPrivateNetworks { try container.encode(true, forKey: .allowsPrivateNetworks) }
        if !allowedHosts.isEmpty { try container.encode(allowedHosts.sorted(), forKey: .allowedHosts) }
        try container.encodeIfPresent(allowedPorts?.sorted(), forKey: .allowedPorts)
        try container.encodeIfPresent(allowedDirectories?.sorted(), forKey: .allowedDirectories)
    }

    /// By which the policies were known that have no allowances of their own.
    package init?(name: String) {
        switch name {
        case "publicInternet": self = .publicInternet
        case "unrestricted": self = .unrestricted
        default: return nil
        }
    }

    package var name: String? {
        self == .publicInternet ? "publicInternet" : self == .unrestricted ? "unrestricted" : nil
    }
}

extension SecurityPolicy: CustomStringConvertible {
    /// The policy's name, or its allowances.
    public var description: String {
        if let name { return name }
        var parts = [allowsAnyAddress ? "any address" : "public addresses"]
        if allowsLoopback { parts.append("this machine") }
        if allowsPrivateNetworks { parts.append("private networks") }
        if !allowedHosts.isEmpty { parts.append(allowedHosts.sorted().joined(separator: ", ")) }
        if let allowedPorts { parts.append("ports \(allowedPorts.sorted().map(String.init).joined(separator: ", "))") }
        if let allowedDirectories { parts.append("folders \(allowedDirectories.sorted().joined(separator: ", "))") }
        return parts.joined(separator: "; ")
    }
}
