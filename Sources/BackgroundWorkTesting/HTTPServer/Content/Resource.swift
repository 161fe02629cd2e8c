import BackgroundWorkSystem

/// The content that a local server serves at a path.
public struct Resource: Sendable, Hashable {
    enum Body: Sendable, Hashable {
        case bytes([UInt8])
        case file(path: String)
        case generated(bytes: Int64, seed: UInt64)
    }

    let body: Body
    /// The entity tag with its quotes, weak if it starts with `W/`; `nil` for none.
    public var entityTag: String?
    /// The `Last-Modified` date as HTTP writes it, see ``HTTPDate``; `nil` for none.
    public var lastModified: String?
    /// The `Content-Type`.
    public var contentType = "application/octet-stream"
    /// The `Content-Encoding` that the content already has; `nil` if it has none.
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

    /// This many pseudo-random bytes, generated as they are sent; the same for the same seed, and for every range of
    /// it.
    public static func generated(bytes: Int64, seed: UInt64 = 1) -> Resource {
        Resource(body: .generated(bytes: bytes, seed: seed), entityTag: "\"generated-\(seed)-\(bytes)\"")
    }

    /// Whether an `If-Range` matches the present entity by a strong validator (RFC 9110, section 13.1.5).
    func isUnchanged(since condition: String) -> Bool {
        if condition.hasPrefix("W/") { return false }
        return condition == entityTag || condition == lastModified
    }
}

/// Reads a resource from any offset, a piece at a time.
final class ResourceReader {
    let size: Int64
    private let body: Resource.Body
    private var descriptor: Int32 = -1

    /// `nil` when the file cannot be read.
    init?(_ resource: Resource) {
        body = resource.body
        switch resource.body {
        case .bytes(let bytes): size = Int64(bytes.count)
        case .generated(let bytes, _): size = bytes
        case .file(let path):
            descriptor = open(path, O_RDONLY | O_CLOEXEC)
            var status = stat()
            guard descriptor >= 0, fstat(descriptor, &status) == 0 else { return nil }
            size = Int64(status.st_size)
        }
    }

    init(_ bytes: [UInt8]) {
        body = .bytes(bytes)
        size = Int64(bytes.count)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Up to `count` bytes from `offset` on; fewer only at the end.
    func read(at offset: Int64, count: Int) -> [UInt8] {
        let count = Int(min(Int64(count), max(0, size - offset)))
        switch body {
        case .bytes(let bytes): return Array(bytes[Int(offset)..<Int(offset) + count])
        case .generated(_, let seed): return (0..<count).map { Self.generated(offset + Int64($0), seed: seed) }
        case .file:
            var buffer = [UInt8](repeating: 0, count: count)
            let got = pread(descriptor, &buffer, count, off_t(offset))
            return got == count ? buffer : Array(buffer.prefix(max(0, got)))
        }
    }

    /// One byte of the pseudo-random body: SplitMix64 of the eight-byte word that contains it.
    private static func generated(_ offset: Int64, seed: UInt64) -> UInt8 {
        var word = (UInt64(bitPattern: offset) >> 3 &+ seed) &* 0x9e37_79b9_7f4a_7c15
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return UInt8(truncatingIfNeeded: (word ^ (word >> 31)) >> (UInt64(offset & 7) * 8))
    }
}
