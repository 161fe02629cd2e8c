import BackgroundWorkModel

/// The rules that the inputs of the built-in workers share. Each throws ``WorkerInputError`` with the field's name.
package struct TransferInputRules: Sendable {
    /// The most bytes of a URL. The daemon repeats the URL in its reports of a transfer, in one message of limited
    /// length.
    private static let longestURL = 65_536

    package var worker: String
    /// The transfer's.
    package var securityPolicy: SecurityPolicy

    package init(worker: String, securityPolicy: SecurityPolicy = .publicInternet) {
        self.worker = worker
        self.securityPolicy = securityPolicy
    }

    /// What it repeats of the input, a path for example, may have control characters.
    package func refusal(_ field: String, _ reason: String) -> WorkerInputError {
        WorkerInputError(workerClassName: worker, reason: "\"\(field)\": \(reason)".printable)
    }

    package func session(_ identifier: String?, default standard: String) throws -> String {
        let session = identifier ?? standard
        guard session.contains(where: { !$0.isWhitespace }) else {
            throw refusal("sessionIdentifier", "it is blank; leave it out for the default")
        }
        try check(length: session, atMost: RequestRules.maximumIDBytes, "sessionIdentifier")
        return session
    }

    /// Checks a text that the daemon repeats in its reports.
    private func check(length text: String, atMost limit: Int, _ field: String) throws {
        let bytes = text.utf8.count
        guard bytes <= limit else { throw refusal(field, "it has \(bytes) bytes, but may have at most \(limit)") }
    }

    package func check(url: String, _ field: String) throws {
        try check(length: url, atMost: Self.longestURL, field)
        let beginning = String(decoding: url.utf8.prefix(8), as: UTF8.self).lowercased()
        guard ["http://", "https://"].contains(where: beginning.hasPrefix) else {
            throw refusal(field, "it is \"\(shown(url))\", but must start with http:// or https://")
        }
        let destination = URLDestination(url: url)
        if case .unclear(.userInfo) = destination.host { throw refusal(field, LiteralHost.Doubt.userInfo.description) }
        if URLSyntax.isClean(url), destination.host == .unclear(.port) {
            throw refusal(
                field,
                "it is \"\(shown(url))\", whose port is not a number from 1 to 65535; leave it out for the usual one")
        }
        guard URLSyntax.isClean(url), !destination.isInvalid else {
            throw refusal(field, "it is \"\(shown(url))\", which is not a valid URL with a host")
        }
        if let complaint = securityPolicy.refusal(of: destination)?.description { throw refusal(field, complaint) }
    }

    /// A text that is no URL, or not what it should be, may hold a secret as well.
    private func shown(_ text: String) -> Substring { ShownURL.text(text).prefix(80) }

    package func check(path: String, for use: FileRules.Use = .content, _ field: String) throws {
        // A URL, perhaps: which one is shown, without its secrets.
        if path.contains(where: { !$0.isWhitespace }), !path.hasPrefix("/") {
            throw refusal(field, "it is \"\(shown(path))\", but must be an absolute path")
        }
        if let complaint = FileRules(securityPolicy).complaint(about: path, for: use) {
            throw refusal(field, complaint)
        }
    }

    package func check(headers: [String: String], _ field: String) throws {
        for (name, value) in headers {
            guard HeaderSyntax.isToken(name) else {
                throw refusal(field, "\"\(HeaderSyntax.shown(name))\" is not a valid header name")
            }
            guard !HeaderSyntax.isTransportOwned(name) else {
                throw refusal(field, "\"\(name)\" is set by the transport itself; leave it out")
            }
            guard HeaderSyntax.isOneLine(value) else {
                throw refusal(field, "the header \"\(name)\" has a line break or NUL in its value")
            }
        }
    }

    package func check(_ options: TransferOptions) throws {
        try check(headers: options.headers, "headers")
        try check(timeout: options.stallTimeout, "timeoutMs")
        try check(timeout: options.resourceTimeout, "resourceTimeoutMs")
        if let rate = options.bytesPerSecond, rate <= 0 {
            throw refusal("bytesPerSecond", "it is \(rate), but must be above 0; leave it out for no limit")
        }
        if let group = options.group, !group.contains(where: { !$0.isWhitespace }) {
            throw refusal("group", "it is blank; leave it out for none")
        }
        try check(length: options.group ?? "", atMost: RequestRules.maximumIDBytes, "group")
        if let complaint = options.retry.complaint { throw refusal("retry", complaint) }
        if case .url(let proxy) = options.proxy,
            let complaint = ProxyRules.complaint(about: proxy, under: securityPolicy)
        {
            throw refusal("proxy", complaint)
        }
        if let authentication = options.authentication { try check(authentication) }
        if let refresh = options.tokenRefresh { try check(refresh) }
        try check(options.tls)
    }

    package func check(timeout: Duration, _ field: String) throws {
        guard timeout > .zero else {
            throw refusal(field, "it is \(timeout.milliseconds), but must be above 0 milliseconds")
        }
    }

    package func check(_ authentication: HTTPAuthentication) throws {
        if let complaint = authentication.complaint { throw refusal("authentication", complaint) }
    }

    package func check(_ refresh: TokenRefresh) throws {
        try check(url: refresh.url, "tokenRefresh.url")
        guard HeaderSyntax.isToken(refresh.method) else {
            throw refusal(
                "tokenRefresh.method", "\"\(String(refresh.method.prefix(40)).printable)\" is not a valid HTTP method")
        }
        try check(headers: refresh.headers, "tokenRefresh.headers")
        let names = refresh.tokenPath.split(separator: ".", omittingEmptySubsequences: false)
        guard names.allSatisfy({ !$0.isEmpty }) else {
            throw refusal(
                "tokenRefresh.tokenPath",
                "it is \"\(String(refresh.tokenPath.prefix(80)).printable)\", but must be names separated by single dots, such as data.token"
            )
        }
    }

    package func check(_ tls: TLSOptions) throws {
        for file in tls.files { try check(path: file.path, for: .certificate, file.field) }
        if let complaint = tls.complaint { throw refusal(complaint.field, complaint.reason) }
    }
}
