import BackgroundWorkModel
import BackgroundWorkSystem

/// Which proxy a transfer uses, decided when it is handed off: the daemon has another environment.
package enum ProxyRules {
    private static let thisMachine = NoProxyList("localhost,127.0.0.0/8,::1")
    private static let schemes = ["http", "https", "socks5", "socks5h"]

    /// The environment names a proxy that cannot be used.
    package struct UnusableProxy: Error, Hashable, CustomStringConvertible {
        package var variable: String
        package var complaint: String
        package var description: String { "the environment's \(variable) cannot be used: \(complaint)" }
    }

    /// The choice with the environment looked up: `.url` or `.direct`. It is made for the transfer's own URL; mirrors
    /// and redirects use the same proxy.
    package static func resolved(
        _ choice: ProxyChoice, for url: String, under policy: SecurityPolicy, environment: () -> [String: String]
    ) throws(UnusableProxy) -> ProxyChoice {
        switch choice {
        case .direct, .url: return choice
        case .automatic:
            // A proxy dials by itself, so the policy's check of dialed addresses would be lost without a request for
            // it. And servers on this machine are not reachable for a remote proxy.
            guard policy.allowsAnyAddress else { return .direct }
            let environment = environment()
            // Usually nothing is set, and then the URL's parts are not needed.
            guard !environment.isEmpty, !thisMachine.contains(URLParts(url).bareHost) else { return .direct }
            return try fromEnvironment(environment, for: url, under: policy)
        case .environment: return try fromEnvironment(environment(), for: url, under: policy)
        }
    }

    /// As curl reads the variables: those of the scheme, else `all_proxy`, unless `no_proxy` lists the host.
    package static func fromEnvironment(
        _ environment: [String: String], for url: String, under policy: SecurityPolicy
    ) throws(UnusableProxy) -> ProxyChoice {
        let address = URLParts(url)
        if NoProxyList(environment.firstValue(of: ProxyVariables.exceptions)?.value ?? "").contains(address.bareHost) {
            return .direct
        }
        // HTTP_PROXY in capitals is what a CGI program gets of a request's Proxy header, so it must not be trusted.
        let ofScheme = address.scheme == "https" ? ProxyVariables.ofHTTPS : ProxyVariables.ofHTTP
        guard let found = environment.firstValue(of: ofScheme + ProxyVariables.ofAll) else { return .direct }
        let proxy = found.value.contains("://") ? found.value : "http://" + found.value
        if let complaint = complaint(about: proxy, under: policy) {
            throw UnusableProxy(variable: found.name, complaint: complaint)
        }
        return .url(proxy)
    }

    /// Why a proxy's URL is not valid; `nil` if it is.
    package static func complaint(about proxy: String, under policy: SecurityPolicy) -> String? {
        let address = URLParts(proxy)
        guard schemes.contains(address.scheme) else {
            return "a proxy's URL begins with http://, https://, socks5:// or socks5h://"
        }
        guard URLSyntax.isClean(proxy), !address.bareHost.isEmpty else {
            return "the proxy's URL has no host, or characters that are not allowed in a URL"
        }
        return policy.refusal(of: URLDestination(proxy: proxy))?.description
    }
}

extension [String: String] {
    /// The first of the variables that is set; an empty one counts as not set.
    fileprivate func firstValue(of names: [String]) -> (name: String, value: String)? {
        for name in names {
            if let value = self[name], !value.isEmpty { return (name, value) }
        }
        return nil
    }
}

/// The variables of an environment in which a proxy is named.
package enum ProxyVariables {
    static let ofHTTP = ["http_proxy"]
    static let ofHTTPS = ["https_proxy", "HTTPS_PROXY"]
    static let ofAll = ["all_proxy", "ALL_PROXY"]
    static let exceptions = ["no_proxy", "NO_PROXY"]

    /// Those of this process as they are now, without the rest of its environment.
    @Sendable package static func ofProcess() -> [String: String] {
        var found: [String: String] = [:]
        for name in ofHTTP + ofHTTPS + ofAll + exceptions {
            if let value = getenv(name) { found[name] = String(cString: value) }
        }
        return found
    }
}

/// The hosts that are reached without a proxy, as curl reads `no_proxy`: names that match themselves and their
/// subdomains, addresses, networks (`10.0.0.0/8`), or `*` for all; commas or spaces between.
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
