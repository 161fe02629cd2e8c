/// How a transfer reaches its server.
///
/// A proxy looks names up and dials by itself, so of a transfer through one a ``SecurityPolicy`` can only check the proxy,
/// and hosts and ports as a URL writes them. So unless it allows any address, the environment's proxy must be requested
/// explicitly.
public enum ProxyChoice: Sendable, Hashable {
    /// The environment's proxy under a policy with ``SecurityPolicy/allowsAnyAddress``, but not for this machine's own
    /// addresses; none under any other policy.
    case automatic
    /// What the host's environment says when the transfer is handed off: `http_proxy` (lower case only), `https_proxy`,
    /// `all_proxy`, `no_proxy`, as curl reads them.
    case environment
    /// This proxy, for both http and https: `http://`, `https://`, `socks5://` or `socks5h://`, with user and password
    /// if need be.
    case url(String)
    /// None.
    case direct
}

extension ProxyChoice: Codable {
    private enum CodingKeys: CodingKey { case url }

    /// `"automatic"`, `"environment"`, `"direct"`, or the proxy's URL. A URL that is spelled as one of these names is in
    /// an object, `{"url":"direct"}`, so that it is refused and not taken for the name.
    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: CodingKeys.self) {
            self = .url(try container.decode(String.self, forKey: .url))
            return
        }
        let text = try decoder.singleValueContainer().decode(String.self)
        self =
            switch text {
            case "automatic": .automatic
            case "environment": .environment
            case "direct": .direct
            default: .url(text)
            }
    }

    /// See ``init(from:)``.
    public func encode(to encoder: any Encoder) throws {
        if isSpelledAsName {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(text, forKey: .url)
        } else {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }

    /// As it is in JSON.
    var text: String {
        switch self {
        case .automatic: "automatic"
        case .environment: "environment"
        case .direct: "direct"
        case .url(let url): url
        }
    }

    /// Whether it is a URL, none that any proxy has, that would be read as another choice.
    var isSpelledAsName: Bool {
        if case .url(let url) = self { ["automatic", "environment", "direct"].contains(url) } else { false }
    }
}
