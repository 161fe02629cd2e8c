/// What a local server wants to see before it answers with anything but 401.
public enum Authentication: Sendable, Hashable {
    /// Basic authentication (RFC 7617).
    case basic(user: String, password: String)
    /// Digest authentication (RFC 7616) with `qop=auth`. Each nonce count is accepted once.
    case digest(user: String, password: String, algorithm: HTTPDigestAlgorithm = .sha256)
    /// A bearer token (RFC 6750), one of these.
    case bearer(tokens: Set<String>)
}
