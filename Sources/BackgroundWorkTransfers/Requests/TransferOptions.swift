import BackgroundWorkFoundation
import BackgroundWorkModel

/// What downloads and uploads have in common. As JSON its fields stand beside those of the download or upload; each
/// may be left out.
public struct TransferOptions: Sendable, Hashable {
    /// Sent with each request. Those whose names speak of a secret (`Authorization`, `Cookie`, `X-Api-Key`,
    /// `X-Auth-Token` and the like) go to the URL's own origin only. JSON: `headers`.
    public var headers: [String: String] = [:]
    /// Waits for an unmetered network and external power, and stops while one is missing. JSON: `isDiscretionary`.
    public var isDiscretionary = false
    /// Whether a metered network may be used. JSON: `allowsCellularAccess`.
    public var allowsCellularAccess = true
    /// An attempt ends when no byte was transferred for this long. JSON: `timeoutMs`, in milliseconds.
    public var stallTimeout = Duration.seconds(1800)
    /// The transfer fails when it is not complete this long after the hand-off, including all waits. JSON:
    /// `resourceTimeoutMs`, in milliseconds.
    public var resourceTimeout = Duration.seconds(7 * 86_400)
    /// Not before this instant. JSON: `earliestBeginMs`, in milliseconds since 1970.
    public var earliestBegin: Date?
    /// Of the transfers that wait for a slot, those with a higher priority start first. JSON: `priority`, from 0 (low)
    /// to 3 (critical).
    public var priority = WorkPriority.normal
    /// The most bytes of body a second; `nil` for no limit of its own. JSON: `bytesPerSecond`.
    public var bytesPerSecond: Int64?
    /// A label under which transfers are observed together. JSON: `group`.
    public var group: String?
    /// How the daemon itself tries again after network errors and the statuses 408, 429 and 5xx. The count of attempts
    /// restarts when one has transferred a mebibyte. JSON: `retry`.
    public var retry = RetryPolicy.exponential(
        initialDelay: .seconds(1), maximumDelay: .seconds(300), maximumAttempts: 5, jitter: 0.5)
    /// JSON: `proxy`.
    public var proxy = ProxyChoice.automatic
    /// JSON: `authentication`.
    public var authentication: HTTPAuthentication?
    /// JSON: `tokenRefresh`.
    public var tokenRefresh: TokenRefresh?
    /// JSON: `tls`.
    public var tls = TLSOptions()

    /// The defaults.
    public init() {}
}

extension TransferOptions: Codable {
    private enum CodingKeys: String, CodingKey {
        case headers, isDiscretionary, allowsCellularAccess, timeoutMs, resourceTimeoutMs, earliestBeginMs, priority
        case bytesPerSecond, group, retry, proxy, authentication, tokenRefresh, tls
    }

    /// Absent and null fields take their defaults; others than these are ignored.
    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func take<Value: Decodable>(_ key: CodingKeys, _ body: (Value) -> Void) throws {
            if let value = try container.decodeIfPresent(Value.self, forKey: key) { body(value) }
        }
        try take(.headers) { headers = $0 }
        try take(.isDiscretionary) { isDiscretionary = $0 }
        try take(.allowsCellularAccess) { allowsCellularAccess = $0 }
        try take(.timeoutMs) { stallTimeout = .milliseconds($0 as Int64) }
        try take(.resourceTimeoutMs) { resourceTimeout = .milliseconds($0 as Int64) }
        try take(.earliestBeginMs) { earliestBegin = WallTime(milliseconds: $0).date }
        try take(.priority) { priority = $0 }
        try take(.bytesPerSecond) { bytesPerSecond = $0 }
        try take(.group) { group = $0 }
        try take(.retry) { retry = $0 }
        try take(.proxy) { proxy = $0 }
        try take(.authentication) { authentication = $0 }
        try take(.tokenRefresh) { tokenRefresh = $0 }
        try take(.tls) { tls = $0 }
    }

    /// Writes what differs from the defaults.
    public func encode(to encoder: any Encoder) throws {
        let standard = TransferOptions()
        var container = encoder.container(keyedBy: CodingKeys.self)
        func put(_ value: some Encodable & Equatable, _ key: CodingKeys, if differs: Bool) throws {
            if differs { try container.encode(value, forKey: key) }
        }
        try put(headers, .headers, if: !headers.isEmpty)
        try put(isDiscretionary, .isDiscretionary, if: isDiscretionary)
        try put(allowsCellularAccess, .allowsCellularAccess, if: !allowsCellularAccess)
        try put(stallTimeout.milliseconds, .timeoutMs, if: stallTimeout != standard.stallTimeout)
        try put(resourceTimeout.milliseconds, .resourceTimeoutMs, if: resourceTimeout != standard.resourceTimeout)
        try container.encodeIfPresent(earliestBegin.map { WallTime($0).milliseconds }, forKey: .earliestBeginMs)
        try put(priority, .priority, if: priority != standard.priority)
        try container.encodeIfPresent(bytesPerSecond, forKey: .bytesPerSecond)
        try container.encodeIfPresent(group, forKey: .group)
        try put(retry, .retry, if: retry != standard.retry)
        try put(proxy, .proxy, if: proxy != standard.proxy)
        try container.encodeIfPresent(authentication, forKey: .authentication)
        try container.encodeIfPresent(tokenRefresh, forKey: .tokenRefresh)
        try put(tls, .tls, if: tls != standard.tls)
    }
}

/// What a transfer's TLS connections need beyond the defaults: at least TLS 1.2, the system's authorities, and a
/// certificate that is valid for the host.
public struct TLSOptions: Sendable, Hashable, Codable {
    /// The client's certificate, at an absolute path; `nil` for none: a PKCS #12 file with its key, named `.p12` or
    /// `.pfx`, or on Linux also a PEM file. It is offered to the URL's own origin only, never to one that a redirect
    /// leads to.
    public var clientCertificatePath: String?
    /// Its private key, a PEM file; `nil` when the certificate's file holds it too. On Linux only.
    public var clientKeyPath: String?
    /// What the key or the PKCS #12 file is encrypted with, if it is.
    public var clientKeyPassword: String?
    /// Authorities that are trusted beside the system's: a PEM file at an absolute path.
    public var additionalAuthoritiesPath: String?
    /// If not empty, the server's public key must be one of these: the SHA-256 of its SubjectPublicKeyInfo (RFC 5280)
    /// in base64, as `openssl pkey -pubin -outform DER | openssl dgst -sha256 -binary | base64` prints it.
    public var pinnedPublicKeys: [String]

    /// The defaults.
    public init() { pinnedPublicKeys = [] }

    /// Any field may be left out.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        clientCertificatePath = try container.decodeIfPresent(String.self, forKey: .clientCertificatePath)
        clientKeyPath = try container.decodeIfPresent(String.self, forKey: .clientKeyPath)
        clientKeyPassword = try container.decodeIfPresent(String.self, forKey: .clientKeyPassword)
        additionalAuthoritiesPath = try container.decodeIfPresent(String.self, forKey: .additionalAuthoritiesPath)
        pinnedPublicKeys = try container.decodeIfPresent([String].self, forKey: .pinnedPublicKeys) ?? []
    }
}

extension TLSOptions {
    /// The files that it names, each with its field.
    package var files: [(field: String, path: String)] {
        [
            ("tls.clientCertificatePath", clientCertificatePath), ("tls.clientKeyPath", clientKeyPath),
            ("tls.additionalAuthoritiesPath", additionalAuthoritiesPath),
        ].compactMap { field, path in path.map { (field, $0) } }
    }

    package var hasPKCS12Certificate: Bool {
        let name = clientCertificatePath?.lowercased() ?? ""
        return name.hasSuffix(".p12") || name.hasSuffix(".pfx")
    }
}

/// How many transfers run at the same time, and how fast all of them together. The last host to connect decides.
public struct TransferLimits: Sendable, Hashable, Codable {
    /// In all, at least 1.
    public var overall = 64
    /// To one host and port, at least 1.
    public var perHost = 6
    /// Of one session, at least 1.
    public var perSession = 64
    /// The most bytes of bodies a second, shared by the running transfers; `nil` for no limit.
    public var bytesPerSecond: Int64?

    /// The defaults.
    public init() {}
}
