import BackgroundWorkFiles

/// The algorithms of Digest authentication (RFC 7616) that a local server has.
public enum HTTPDigestAlgorithm: String, Sendable, Hashable {
    /// What old servers have.
    case md5 = "MD5"
    /// What new servers should have.
    case sha256 = "SHA-256"

    var digest: DigestAlgorithm { self == .md5 ? .md5 : .sha256 }
}
