/// What a local server serves at a path.
public struct Resource: Sendable, Hashable {
    enum Body: Sendable, Hashable {
        case bytes([UInt8])
        case file(path: String)
        case generated(bytes: Int64, seed: UInt64)
    }

    let body: Body
    /// The entity tag with its quotes, weak if it begins with `W/`; `nil` for none.
    public var entityTag: String?
    /// The `Last-Modified` date as HTTP writes it, see ``HTTPDate``; `nil` for none.
    public var lastModified: String?
    /// The `Content-Type`.
    public var contentType = "application/octet-stream"
    /// The `Content-Encoding`: how the content is packed already; `nil` if it is not.
    public var contentEncoding: String?

    /// Bytes in memory.
    public static func bytes(
        _ bytes: some Sequence<UInt8>, entityTag: String? = "\"bytes\"", lastModified: String? = nil
    ) -> Resource {
        Resource(body: .bytes(Array(bytes)), entityTag: entityTag, lastModified: lastModified)
    }

    /// A file, read piece by piece as it is sent. It must not change while it is served.
    public static func file(
        path: String, entityTag: String? = "\"file\"", lastModified: String? = nil
    ) -> Resource {
        Resource(body: .file(path: path), entityTag: entityTag, lastModified: lastModified)
    }

    /// So many pseudo-random bytes, made as they are sent; the same for the same seed, and for every range of it.
    public static func generated(bytes: Int64, seed: UInt64 = 1) -> Resource {
        Resource(body: .generated(bytes: bytes, seed: seed), entityTag: "\"generated-\(seed)-\(bytes)\"")
    }

    /// Whether an `If-Range` names the present entity by a strong validator (RFC 9110, section 13.1.5).
    func isUnchanged(since condition: String) -> Bool {
        if condition.hasPrefix("W/") { return false }
        return condition == entityTag || condition == lastModified
    }
}
