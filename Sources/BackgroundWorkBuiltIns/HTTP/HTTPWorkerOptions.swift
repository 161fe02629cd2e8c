import BackgroundWorkTransfers

/// What the workers that send HTTP requests in the scheduler's own process have in common. As JSON its fields stand
/// beside those of the worker; each may be left out.
public struct HTTPWorkerOptions: Sendable, Hashable {
    /// Sent with each request. Those whose names speak of a secret (`Authorization`, `Cookie`, `X-Api-Key`,
    /// `X-Auth-Token` and the like) go to the URL's own origin only. JSON: `headers`.
    public var headers: [String: String] = [:]
    /// How long a whole request may take, from its start to the last byte of the response. The request for a new token,
    /// and the one that is sent with it, have this time each. `nil` for the worker's own default. JSON: `timeoutMs`, in
    /// milliseconds.
    public var timeout: Duration?
    /// JSON: `authentication`.
    public var authentication: HTTPAuthentication?
    /// Where a new token comes from when the server answers 401. JSON: `tokenRefresh`.
    public var tokenRefresh: TokenRefresh?
    /// JSON: `signing`.
    public var signing: RequestSigning?
    /// The most bytes of bodies a second of each request, in both directions; `nil` for no limit. On Linux only; refused
    /// on Apple's platforms, whose URL sessions have no such limit. JSON: `bytesPerSecond`.
    public var bytesPerSecond: Int64?
    /// JSON: `proxy`.
    public var proxy = ProxyChoice.automatic
    /// JSON: `tls`.
    public var tls = TLSOptions()

    /// The defaults.
    public init() {}
}

extension HTTPWorkerOptions: Codable {
    private enum CodingKeys: String, CodingKey {
        case headers, timeoutMs, authentication, tokenRefresh, signing, bytesPerSecond, proxy, tls
    }

    /// Absent and null fields take their defaults; others than these are ignored.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        headers = try container.decodeIfPresent([String: String].self, forKey: .headers) ?? [:]
        timeout = try container.decodeIfPresent(Int64.self, forKey: .timeoutMs).map { .milliseconds($0) }
        authentication = try container.decodeIfPresent(HTTPAuthentication.self, forKey: .authentication)
        tokenRefresh = try container.decodeIfPresent(TokenRefresh.self, forKey: .tokenRefresh)
        signing = try container.decodeIfPresent(RequestSigning.self, forKey: .signing)
        bytesPerSecond = try container.decodeIfPresent(Int64.self, forKey: .bytesPerSecond)
        proxy = try container.decodeIfPresent(ProxyChoice.self, forKey: .proxy) ?? .automatic
        tls = try container.decodeIfPresent(TLSOptions.self, forKey: .tls) ?? TLSOptions()
    }

    /// Writes what differs from the defaults.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if !headers.isEmpty { try container.encode(headers, forKey: .headers) }
        try container.encodeIfPresent(timeout?.milliseconds, forKey: .timeoutMs)
        try container.encodeIfPresent(authentication, forKey: .authentication)
        try container.encodeIfPresent(tokenRefresh, forKey: .tokenRefresh)
        try container.encodeIfPresent(signing, forKey: .signing)
        try container.encodeIfPresent(bytesPerSecond, forKey: .bytesPerSecond)
        if proxy != .automatic { try container.encode(proxy, forKey: .proxy) }
        if tls != TLSOptions() { try container.encode(tls, forKey: .tls) }
    }
}

extension HTTPWorkerOptions: CustomReflectable {
    /// Without credentials, and without the values of secret headers.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "headers": transferOptions.shownHeaders, "timeout": timeout as Any,
                "authentication": authentication as Any, "tokenRefresh": tokenRefresh as Any,
                "signing": signing as Any, "bytesPerSecond": bytesPerSecond as Any, "proxy": proxy, "tls": tls,
            ], displayStyle: .struct)
    }
}

extension HTTPWorkerOptions {
    /// What of it transfers have as well.
    var transferOptions: TransferOptions {
        var options = TransferOptions()
        options.headers = headers
        if let timeout { options.stallTimeout = timeout }
        options.authentication = authentication
        options.tokenRefresh = tokenRefresh
        options.bytesPerSecond = bytesPerSecond
        options.proxy = proxy
        options.tls = tls
        return options
    }
}
