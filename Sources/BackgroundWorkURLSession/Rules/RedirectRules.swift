import BackgroundWorkTransfers

/// What a redirect's request may carry.
enum RedirectRules {
    /// The request without the transfer's secrets when it goes to another origin; `nil` when it may not be followed.
    static func request(_ request: URLRequest, from specification: TransferSpecification) -> URLRequest? {
        guard let target = request.url, let source = URL(string: specification.url),
            ["http", "https"].contains(target.scheme?.lowercased() ?? ""),
            // Never from an encrypted connection to a readable one.
            source.scheme?.lowercased() != "https" || target.scheme?.lowercased() == "https"
        else { return nil }
        if isSameOrigin(source, target) { return request }
        var request = request
        for name in specification.options.headers.keys where SecretHeader.isSecret(name) {
            request.setValue(nil, forHTTPHeaderField: name)
        }
        request.setValue(nil, forHTTPHeaderField: "Authorization")
        return request
    }

    private static func isSameOrigin(_ first: URL, _ second: URL) -> Bool {
        first.scheme?.lowercased() == second.scheme?.lowercased()
            && first.host()?.lowercased() == second.host()?.lowercased() && port(first) == port(second)
    }

    private static func port(_ url: URL) -> Int? { url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80) }
}
