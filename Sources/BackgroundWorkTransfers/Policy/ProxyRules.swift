/// Which proxy a transfer goes through, decided when it is handed off: the daemon has another environment.
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
    /// and redirects go the same way.
    package static func resolved(
        _ choice: ProxyChoice, for url: String, under policy: AddressPolicy, environment: () -> [String: String]
    ) throws(UnusableProxy) -> ProxyChoice {
        switch choice {
        case .direct, .url: return choice
        case .automatic:
            // A proxy dials by itself, so the policy's check of dialled addresses would be lost without being asked.
            // And what this machine serves to itself is not there for a proxy elsewhere.
            guard policy == .unrestricted else { return .direct }
            let environment = environment()
            // Mostly nothing is set, and then nobody needs the URL's parts.
            guard !environment.isEmpty, !thisMachine.contains(URLAuthority(url).host) else { return .direct }
            return try fromEnvironment(environment, for: url, under: policy)
        case .environment: return try fromEnvironment(environment(), for: url, under: policy)
        }
    }

    /// As curl reads the variables: those of the scheme, else `all_proxy`, unless `no_proxy` lists the host.
    package static func fromEnvironment(
        _ environment: [String: String], for url: String, under policy: AddressPolicy
    ) throws(UnusableProxy) -> ProxyChoice {
        let address = URLAuthority(url)
        if NoProxyList(environment.firstValue(of: ProxyVariables.exceptions)?.value ?? "").contains(address.host) {
            return .direct
        }
        // HTTP_PROXY in capitals is what a CGI program gets of a request's Proxy header, so nobody may trust it.
        let ofScheme = address.scheme == "https" ? ProxyVariables.ofHTTPS : ProxyVariables.ofHTTP
        guard let found = environment.firstValue(of: ofScheme + ProxyVariables.ofAll) else { return .direct }
        let proxy = found.value.contains("://") ? found.value : "http://" + found.value
        if let complaint = complaint(about: proxy, under: policy) {
            throw UnusableProxy(variable: found.name, complaint: complaint)
        }
        return .url(proxy)
    }

    /// What is wrong with a proxy's URL, in words; `nil` when nothing is.
    package static func complaint(about proxy: String, under policy: AddressPolicy) -> String? {
        let address = URLAuthority(proxy)
        guard schemes.contains(address.scheme) else {
            return "a proxy's URL begins with http://, https://, socks5:// or socks5h://"
        }
        guard URLSyntax.isClean(proxy), !address.host.isEmpty else {
            return "the proxy's URL has no host, or characters that no URL has"
        }
        return policy.complaint(about: proxy)
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
