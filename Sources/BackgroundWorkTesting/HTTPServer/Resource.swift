/// What a local server serves at a path.
public struct Resource: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        case file(path: String)
        case generated(bytes: Int64, seed: UInt64)
    }

    let body: Body
    /// The strong entity tag with its quotes; `nil` for none.
    public var entityTag: String?
    /// The `Last-Modified` date as HTTP writes it; `nil` for none.
    public var lastModified: String?

    /// Bytes in memory.
    public static func bytes(_ bytes: some Sequence<UInt8>, entityTag: String? = "\"bytes\"") -> Resource {
        Resource(body: .bytes(Array(bytes)), entityTag: entityTag, lastModified: nil)
    }

    /// A file, read piece by piece as it is sent. It must not change while it is served.
    public static func file(path: String, entityTag: String? = "\"file\"") -> Resource {
        Resource(body: .file(path: path), entityTag: entityTag, lastModified: nil)
    }

    /// So many pseudo-random bytes, made as they are sent; the same for the same seed, and for every range of it.
    public static func generated(bytes: Int64, seed: UInt64 = 1) -> Resource {
        Resource(body: .generated(bytes: bytes, seed: seed), entityTag: "\"generated-\(seed)-\(bytes)\"")
    }
}
