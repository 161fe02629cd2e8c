/// What a transfer's TLS connections need beyond the defaults: at least TLS 1.2, the system's authorities, and a
/// certificate that is valid for the host.
public struct TLSOptions: Sendable, Hashable, Codable {
    /// The client's certificate, a PEM file at an absolute path; `nil` for none. It is offered to the URL's own origin
    /// only, never to one that a redirect leads to.
    public var clientCertificatePath: String?
    /// Its private key, a PEM file; `nil` when the certificate's file holds it too.
    public var clientKeyPath: String?
    /// What the key is encrypted with, if it is.
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
